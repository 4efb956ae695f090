package io.berth.scheduler.move;

import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.UUID;
import java.util.stream.StreamSupport;

/** Lists moves for operators. */
@Singleton
public class MoveListStore {
    /**
     * A query for moves by condition, with a limit. The latest move is first, because each move draws a higher number.
     * The destination is the first selection of the response.
     */
    static final String LIST = """
            SELECT moves.migration_uuid, moves.instance_uuid, moves.kind,
                   %s,
                   moves.source_uuid, coalesce(source.host, moves.instance_before ->> 'host') AS source_host,
                   cast(moves.answer AS jsonb) #>> '{selections,0,0,compute_node_uuid}' AS target_uuid,
                   cast(moves.answer AS jsonb) #>> '{selections,0,0,host}' AS target_host,
                   coalesce(known.body ->> 'name', moves.instance_before ->> 'name') AS instance_name,
                   moves.user_id, moves.request_id, moves.begun_at, moves.changed_at
              FROM moves
              LEFT JOIN compute_nodes AS source ON source.uuid = moves.source_uuid
              LEFT JOIN instances AS known ON known.uuid = moves.instance_uuid
             WHERE true%s
             ORDER BY moves.first_number DESC, moves.migration_uuid DESC LIMIT $%d
            """;
    private static final String OF_MIGRATION = " AND moves.migration_uuid = $%d";
    private static final String OF_INSTANCE = " AND moves.instance_uuid = $%d";
    private static final String BEHIND = " AND (moves.first_number, moves.migration_uuid) <"
            + " (SELECT first_number, migration_uuid FROM moves WHERE migration_uuid = $%d)";

    private final Pool pool;

    MoveListStore(Pool pool) {
        this.pool = pool;
    }

    /** A compute node; its name is null if it is not registered. */
    public record Node(UUID uuid, @Nullable String host) {}

    /**
     * A move as clients see it.
     *
     * @param source null if the instance had no host
     * @param destination the selected host; null before a selection and for a failed move
     * @param userId the user who requested it; null if unknown
     * @param begunAt null if unknown
     * @param since the time of its last change of state
     */
    public record ListedMove(
            UUID migrationUuid, UUID instanceUuid, @Nullable String instanceName, MoveKind kind, MoveState state,
            @Nullable Node source, @Nullable Node destination, @Nullable String userId, String requestId,
            @Nullable Instant begunAt, Instant since) {}

    /** Returns one move or none. */
    public Uni<List<ListedMove>> find(UUID migration) {
        Tuple params = Tuple.tuple();
        return list(where(OF_MIGRATION, migration, params), params, 1);
    }

    /**
     * Returns the latest moves first.
     *
     * @param instance null for any
     * @param marker the page begins after this migration; null for the first page
     */
    public Uni<List<ListedMove>> list(@Nullable UUID instance, @Nullable UUID marker, int limit) {
        Tuple params = Tuple.tuple();
        return list(where(OF_INSTANCE, instance, params) + where(BEHIND, marker, params), params, limit);
    }

    private static String where(String condition, @Nullable UUID value, Tuple params) {
        return value == null ? "" : condition.formatted(params.addUUID(value).size());
    }

    private Uni<List<ListedMove>> list(String which, Tuple params, int limit) {
        return pool.preparedQuery(LIST.formatted(MoveStore.STATE, which, params.size() + 1)).execute(params.addLong((long) limit))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(MoveListStore::move).toList());
    }

    private static ListedMove move(Row row) {
        OffsetDateTime begunAt = row.getOffsetDateTime("begun_at");
        String target = row.getString("target_uuid");
        return new ListedMove(
                row.getUUID("migration_uuid"),
                row.getUUID("instance_uuid"),
                row.getString("instance_name"),
                MoveKind.find(row.getString("kind")),
                MoveState.of(row.getString("state")),
                row.getUUID("source_uuid") == null ? null : new Node(row.getUUID("source_uuid"), row.getString("source_host")),
                target == null ? null : new Node(UUID.fromString(target), row.getString("target_host")),
                row.getString("user_id"),
                row.getString("request_id"),
                begunAt == null ? null : begunAt.toInstant(),
                row.getOffsetDateTime("changed_at").toInstant());
    }
}
