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
 * Runs statements by which instances join their groups. A statement may wait for a lock on its group's record, so
 * only a few run at a time, and no two for the same group. Groups whose lock was not granted last time run on their
 * own, one at a time, so that other groups do not wait for them.
 */
final class Joins {
    /** Together with {@link #LOCKED_AT_ONCE_MAX} half of the connections of the decisions pool. */
    private static final int AT_ONCE_MAX = 2;
    private static final int LOCKED_AT_ONCE_MAX = 1;
    private static final int LOCKED_MAX = 1_000;

    private final Batches<Join, Boolean> joins;
    private final Batches<Join, Boolean> joinsOfLocked;
    /** Groups whose lock was not granted last time. */
    private final Set<UUID> locked = ConcurrentHashMap.newKeySet();

    private record Join(UUID group, Uni<Boolean> statement) {}

    /** @param joinMax longest time for a statement */
    Joins(Duration joinMax) {
        joins = batches(AT_ONCE_MAX, joinMax);
        joinsOfLocked = batches(LOCKED_AT_ONCE_MAX, joinMax);
    }

    private static Batches<Join, Boolean> batches(int atOnceMax, Duration joinMax) {
        return new Batches<>(1, atOnceMax, joinMax, join -> List.of(join.group()), one -> one.getFirst()
                .statement()
                .map(joined -> join -> joined));
    }

    Uni<Boolean> add(UUID group, Uni<Boolean> statement) {
        return (locked.contains(group) ? joinsOfLocked : joins)
                .add(new Join(group, statement))
                .invoke(() -> locked.remove(group))
                .onFailure(SqlFault.LOCKED::isIn).invoke(() -> remember(group));
    }

    /**
     * Adds a locked group. The set is cleared when full, since groups that no instance joins any more would stay
     * forever; one that is still locked is added again.
     */
    private void remember(UUID group) {
        if (locked.size() >= LOCKED_MAX) {
            locked.clear();
        }
        locked.add(group);
    }
}
