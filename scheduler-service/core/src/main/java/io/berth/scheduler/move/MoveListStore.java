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
     * Lists moves. Formatted with 1 {@link MoveStore#STATE}, 2 further conditions, each beginning with " AND", 3 the
     * number of the parameter that is the maximum of rows. The latest move is first, because each move draws a higher
     * fence number than the moves before it. The target is read from the first selection of the stored response. The
     * name of a deleted instance, or the host of a deleted source, comes from the registration before the move.
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
    // Conditions for LIST, each formatted with the number of its parameter, a uuid.
    private static final String OF_MIGRATION = " AND moves.migration_uuid = $%d";
    private static final String OF_INSTANCE = " AND moves.instance_uuid = $%d";
    /** Selects the moves that come after the move of a migration in the order of {@link #LIST}. */
    private static final String AFTER_MARKER = " AND (moves.first_number, moves.migration_uuid) <"
            + " (SELECT first_number, migration_uuid FROM moves WHERE migration_uuid = $%d)";

    private final Pool pool;

    MoveListStore(Pool pool) {
        this.pool = pool;
    }

    /**
     * A compute node.
     *
     * @param host name of the host; null if it is unknown
     */
    public record Node(UUID uuid, @Nullable String host) {}

    /**
     * A move as responses show it.
     *
     * @param instanceName null if unknown
     * @param source null for a shelved instance, which had no host
     * @param destination the selected host; null before the selection and for a failed move
     * @param userId id of the user who requested the move; null if unknown
     * @param begunAt time of the request that started the move; null if unknown
     * @param since time of the last change of state
     */
    public record ListedMove(
            UUID migrationUuid, UUID instanceUuid, @Nullable String instanceName, MoveKind kind, MoveState state,
            @Nullable Node source, @Nullable Node destination, @Nullable String userId, String requestId,
            @Nullable Instant begunAt, Instant since) {}

    /** Returns a list with the move of this migration, or an empty list. */
    public Uni<List<ListedMove>> find(UUID migration) {
        Tuple params = Tuple.tuple();
        return list(where(OF_MIGRATION, migration, params), params, 1);
    }

    /**
     * Returns a page of moves, the latest first.
     *
     * @param instance only moves of this instance; null for all
     * @param marker the page begins after the move of this migration; null for the first page. The page is empty for an
     *     unknown marker
     * @param limit maximum moves of the page
     */
    public Uni<List<ListedMove>> list(@Nullable UUID instance, @Nullable UUID marker, int limit) {
        Tuple params = Tuple.tuple();
        return list(where(OF_INSTANCE, instance, params) + where(AFTER_MARKER, marker, params), params, limit);
    }

    /** Returns the condition with the next parameter number, to which it adds the value; empty for a null value. */
    private static String where(String condition, @Nullable UUID value, Tuple params) {
        return value == null ? "" : condition.formatted(params.addUUID(value).size());
    }

    private Uni<List<ListedMove>> list(String conditions, Tuple params, int limit) {
        return pool.preparedQuery(LIST.formatted(MoveStore.STATE, conditions, params.size() + 1))
                .execute(params.addLong((long) limit))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false).map(MoveListStore::move).toList());
    }

    private static ListedMove move(Row row) {
        OffsetDateTime begunAt = row.getOffsetDateTime("begun_at");
        String target = row.getString("target_uuid");
        return new ListedMove(
                row.getUUID("migration_uuid"),
                row.getUUID("instance_uuid"),
                row.getString("instance_name"),
                MoveKind.of(row.getString("kind")),
                MoveState.of(row.getString("state")),
                row.getUUID("source_uuid") == null
                        ? null
                        : new Node(row.getUUID("source_uuid"), row.getString("source_host")),
                target == null ? null : new Node(UUID.fromString(target), row.getString("target_host")),
                row.getString("user_id"),
                row.getString("request_id"),
                begunAt == null ? null : begunAt.toInstant(),
                row.getOffsetDateTime("changed_at").toInstant());
    }
}
