package io.berth.placement.fleet;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The trees of a view that changed most recently, still exist and have at most {@value #PROVIDERS_MAX} providers: at
 * most {@value #COUNT_MAX} trees in their present state, each once, the latest change last. Immutable.
 */
final class RecentChanges {
    /** The most trees that are kept; the oldest changes are dropped first. */
    static final int COUNT_MAX = 256;
    /**
     * The most providers of a tree that is kept. The JSON of each kept tree is cached; with this limit, the JSON of all
     * kept trees takes some megabytes at most.
     */
    static final int PROVIDERS_MAX = 32;
    static final RecentChanges NONE = new RecentChanges(new ChangedTree[0]);

    private final ChangedTree[] changes;

    private RecentChanges(ChangedTree[] changes) {
        this.changes = changes;
    }

    /**
     * Returns the recent changes after one more change of the fleet.
     *
     * @param version the version of the view after the change
     * @param rootIds ids of the roots of all changed trees, even those that no longer exist
     * @param newTrees the changed trees that still exist
     */
    RecentChanges with(long version, Collection<Long> rootIds, List<ProviderTree> newTrees) {
        long[] changedRootIds = rootIds.stream().mapToLong(Long::longValue).sorted().toArray();
        ChangedTree[] kept = new ChangedTree[Math.min(COUNT_MAX, changes.length + newTrees.size())];
        // Fills the array from its end, beginning with the latest changes.
        int first = kept.length;
        for (int i = 0; i < newTrees.size() && first > 0; i++) {
            if (newTrees.get(i).size() <= PROVIDERS_MAX) {
                kept[--first] = new ChangedTree(version, newTrees.get(i));
            }
        }
        for (int i = changes.length - 1; i >= 0 && first > 0; i--) {
            if (Arrays.binarySearch(changedRootIds, changes[i].rootId()) < 0) {
                kept[--first] = changes[i];
            }
        }
        return new RecentChanges(first == 0 ? kept : Arrays.copyOfRange(kept, first, kept.length));
    }

    /** Returns the trees that changed after a version of the view. */
    List<ChangedTree> after(long version) {
        int first = changes.length;
        while (first > 0 && changes[first - 1].version() > version) {
            first--;
        }
        return Arrays.asList(changes).subList(first, changes.length);
    }
}
