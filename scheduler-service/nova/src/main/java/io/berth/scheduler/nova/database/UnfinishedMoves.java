package io.berth.scheduler.nova.database;

import io.berth.scheduler.host.registry.HostNames;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import java.time.LocalDateTime;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The moves in a cell's table {@code migrations} whose status is not final: moves in progress, and resizes that wait to
 * be confirmed or reverted. Immutable. When a compute node checks the policy of a server group, it counts the instance
 * of an unfinished move on both hosts.
 * <br>Source: nova {@code db/main/api.py} (migration_get_in_progress_by_host_and_node), {@code compute/manager.py}
 * (_validate_instance_group_policy).
 *
 * @param byId moves by the id of their row
 * @param lastId highest id of the rows that were read; {@link #withChangesSince} reads all rows with a higher id as new
 */
record UnfinishedMoves(Map<Long, Move> byId, long lastId) {
    static final UnfinishedMoves NONE = new UnfinishedMoves(Map.of(), 0);

    private static final Logger LOG = Logger.getLogger(UnfinishedMoves.class);
    private static final int PAGE_ROWS = 5_000;
    /**
     * The maximum number of moves of a cell in memory, about 20 MB of heap. Further moves are ignored; a line is
     * logged.
     */
    private static final int MOVES_MAX = 100_000;
    /** The final values of a move's status. */
    private static final Set<String> FINAL_STATUSES =
            Set.of("confirmed", "reverted", "error", "failed", "completed", "cancelled", "done");

    private static final String ROWS =
            "SELECT id, instance_uuid, source_compute, dest_compute, status, deleted FROM migrations WHERE ";
    private static final String UNFINISHED = ROWS + "deleted = 0 AND status NOT IN ("
            + FINAL_STATUSES.stream().sorted().map(status -> "'" + status + "'").collect(Collectors.joining(", "))
            + ") AND EXISTS (SELECT 1 FROM instances"
            + " WHERE instances.uuid = migrations.instance_uuid AND instances.deleted = 0)";
    /**
     * Rows that are new or changed. Params: 1 time in UTC, 2 highest id that was read before. Each SELECT of the union
     * can use an index. {@code WHERE 1 = 1} is there for {@link Pages}, which appends a condition with AND.
     */
    private static final String CHANGED =
            "SELECT * FROM (" + ROWS + "updated_at >= ? UNION " + ROWS + "id > ?) AS changed WHERE 1 = 1";

    /**
     * A move of an instance.
     *
     * @param hosts names of the source and the destination; a name that is null in the row is missing
     */
    record Move(UUID instance, Set<String> hosts) {}

    /** Reads all unfinished moves, without those of deleted instances. */
    static Uni<UnfinishedMoves> readAll(Database database) {
        Reading reading = new Reading(NONE);
        return Pages.read(database, UNFINISHED, PAGE_ROWS, reading::add).map(read -> reading.finish());
    }

    /**
     * Reads the rows that are new or changed, and returns all moves: these moves with the rows applied. Moves of
     * deleted instances are left out only by {@link #readAll}.
     *
     * @param since rows that were updated at or after this time (UTC) count as changed
     */
    Uni<UnfinishedMoves> withChangesSince(Database database, LocalDateTime since) {
        Reading reading = new Reading(this);
        return Pages.read(database, CHANGED, PAGE_ROWS, reading::add, since, lastId).map(read -> reading.finish());
    }

    /** Returns for each instance the hosts of its unfinished moves. */
    Map<UUID, Set<String>> hostsByInstance() {
        Map<UUID, Set<String>> hosts = new HashMap<>();
        byId.values().forEach(
                move -> hosts.computeIfAbsent(move.instance(), key -> new HashSet<>()).addAll(move.hosts()));
        return hosts;
    }

    /** Applies rows to a copy of the previous moves. */
    private static final class Reading {
        private final UnfinishedMoves previous;
        private final Map<Long, Move> byId;
        private long lastId;
        private int ignoredCount;

        Reading(UnfinishedMoves previous) {
            this.previous = previous;
            byId = new HashMap<>(previous.byId());
            lastId = previous.lastId();
        }

        void add(Row row) {
            long id = row.getLong("id");
            lastId = Math.max(lastId, id);
            UUID instance = row.getString("instance_uuid") == null ? null : Uuids.find(row.getString("instance_uuid"));
            String status = row.getString("status");
            if (instance == null || status == null || FINAL_STATUSES.contains(status) || row.getLong("deleted") != 0) {
                byId.remove(id);
            } else if (byId.size() < MOVES_MAX || byId.containsKey(id)) {
                byId.put(id, new Move(instance, hosts(row)));
            } else {
                ignoredCount++;
            }
        }

        private static Set<String> hosts(Row row) {
            return Stream.of(row.getString("source_compute"), row.getString("dest_compute"))
                    .filter(Objects::nonNull)
                    .map(HostNames::interned)
                    .collect(Collectors.toUnmodifiableSet());
        }

        /** Returns the moves; the previous object if nothing has changed. */
        UnfinishedMoves finish() {
            if (ignoredCount > 0) {
                LOG.warnf("unfinished migrations ignored limit=%d ignored=%d", MOVES_MAX, ignoredCount);
            }
            boolean isSame = lastId == previous.lastId() && byId.equals(previous.byId());
            return isSame ? previous : new UnfinishedMoves(Map.copyOf(byId), lastId);
        }
    }
}
