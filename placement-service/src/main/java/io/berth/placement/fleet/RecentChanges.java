package io.berth.placement.fleet;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * The trees of a view that changed most recently and still exist, in their present state, each once, the latest last.
 * Immutable.
 */
final class RecentChanges {
    static final int COUNT_MAX = 256;
    /**
     * Larger trees are left out, because each tree's JSON is cached with it. So all of them take some megabytes at
     * most.
     */
    static final int PROVIDERS_MAX = 32;
    static final RecentChanges NONE = new RecentChanges(new ChangedTree[0]);

    private final ChangedTree[] changes;

    private RecentChanges(ChangedTree[] changes) {
        this.changes = changes;
    }

    /**
     * Returns the recent changes of the view after one more change.
     *
     * @param version of the view after the change
     * @param rootIds roots of all changed trees
     * @param now the changed trees that still exist; at most {@link #COUNT_MAX} are kept
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

    /** Returns the changes after that version of a view. */
    List<ChangedTree> after(long version) {
        int first = changes.length;
        while (first > 0 && changes[first - 1].version() > version) {
            first--;
        }
        return Arrays.asList(changes).subList(first, changes.length);
    }
}
