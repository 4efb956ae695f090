package io.berth.scheduler.groupreservation;

import io.berth.database.SqlFault;
import io.berth.scheduler.db.Batches;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs statements by which instances join their groups. A statement may wait for a lock on its group's record, so two
 * queues run only a few statements at a time, and never two for the same group in one queue. A group that had a lock
 * timeout uses the second queue until one of its statements succeeds, so that groups without lock conflicts do not wait
 * for that group. Thread-safe.
 */
final class Joins {
    /**
     * Maximum concurrent statements of groups without lock conflicts. Together with {@link #LOCKED_CONCURRENT_MAX} this
     * is half of the connections of the pool {@code decisions}.
     */
    private static final int CONCURRENT_MAX = 2;
    /** Maximum concurrent statements of groups with lock conflicts. */
    private static final int LOCKED_CONCURRENT_MAX = 1;
    /** Maximum groups in {@link #lockedGroups}; if a further group is added, the set is cleared first. */
    private static final int LOCKED_GROUPS_MAX = 1_000;

    private final Batches<Join, Boolean> joins;
    private final Batches<Join, Boolean> joinsOfLocked;
    /** Groups that had a lock timeout, and since then no statement that succeeded. */
    private final Set<UUID> lockedGroups = ConcurrentHashMap.newKeySet();

    private record Join(UUID group, Uni<Boolean> statement) {}

    /** @param joinMax time limit of a statement */
    Joins(Duration joinMax) {
        joins = batches(CONCURRENT_MAX, joinMax);
        joinsOfLocked = batches(LOCKED_CONCURRENT_MAX, joinMax);
    }

    private static Batches<Join, Boolean> batches(int concurrentMax, Duration joinMax) {
        return new Batches<>(1, concurrentMax, joinMax, join -> List.of(join.group()), batch -> batch.getFirst()
                .statement()
                .map(joined -> join -> joined));
    }

    Uni<Boolean> add(UUID group, Uni<Boolean> statement) {
        return (lockedGroups.contains(group) ? joinsOfLocked : joins)
                .add(new Join(group, statement))
                .invoke(() -> lockedGroups.remove(group))
                .onFailure(SqlFault.LOCKED::isKindOf).invoke(() -> remember(group));
    }

    /**
     * Adds a group with a lock conflict. Clears the set first if it is full, because groups that no instance joins any
     * more are never removed otherwise. A group whose conflict persists is added again by its next statement.
     */
    private void remember(UUID group) {
        if (lockedGroups.size() >= LOCKED_GROUPS_MAX) {
            lockedGroups.clear();
        }
        lockedGroups.add(group);
    }
}
