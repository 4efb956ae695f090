package io.berth.placement.fleet;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The trees of a view that changed most recently and still exist, in their present state, each once, the latest change
 * last. Immutable.
 */
final class RecentChanges {
    /** The most trees that are kept. */
    static final int COUNT_MAX = 256;
    /**
     * The most providers of a tree that is kept. The JSON of each kept tree is cached; with this limit, all of it takes
     * some megabytes at most.
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
     * @param now the changed trees that still exist
     */
    RecentChanges with(long version, Collection<Long> rootIds, List<ProviderTree> now) {
        long[] touched = rootIds.stream().mapToLong(Long::longValue).sorted().toArray();
        ChangedTree[] all = new ChangedTree[Math.min(COUNT_MAX, changes.length + now.size())];
        int first = all.length;
        for (int i = 0; i < now.size() && first > 0; i++) {
            if (now.get(i).size() <= PROVIDERS_MAX) {
                all[--first] = new ChangedTree(version, now.get(i));
            }
        }
        for (int i = changes.length - 1; i >= 0 && first > 0; i--) {
            if (Arrays.binarySearch(touched, changes[i].rootId()) < 0) {
                all[--first] = changes[i];
            }
        }
        return new RecentChanges(first == 0 ? all : Arrays.copyOfRange(all, first, all.length));
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
