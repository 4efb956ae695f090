package io.berth.scheduler.seat;

import io.berth.database.SqlFault;
import io.berth.scheduler.db.Batches;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Statements by which instances join their groups. Each waits for its group's record if somebody has locked that, so a few
 * are under way at a time, no two of a group. Groups whose lock was not granted last time wait for each other, one at a
 * time, and nobody else for them.
 */
final class Joins {
    /** Together half of the connections of decisions. */
    private static final int AT_ONCE_MAX = 2;
    private static final int LOCKED_AT_ONCE_MAX = 1;
    private static final int LOCKED_MAX = 1_000;

    private final Batches<Join, Boolean> joins;
    private final Batches<Join, Boolean> joinsOfLocked;
    /** Groups whose lock was not granted last time. */
    private final Set<UUID> locked = ConcurrentHashMap.newKeySet();

    private record Join(UUID group, Uni<Boolean> statement) {}

    /** @param joinMax how long a statement may take */
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

    /** Those that nobody joins any more would stay for good: forgotten, they are found locked once more. */
    private void remember(UUID group) {
        if (locked.size() >= LOCKED_MAX) {
            locked.clear();
        }
        locked.add(group);
    }
}
