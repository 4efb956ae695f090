package io.berth.scheduler.move;

import io.berth.database.SqlFault;
import io.berth.scheduler.claim.AllocationsText;
import io.berth.scheduler.host.registry.instance.GroupMembershipSql;
import io.berth.scheduler.host.registry.instance.InstanceSql;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenWork;
import io.quarkus.reactive.datasource.ReactiveDataSource;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.UUID;

/**
 * Stores the record of every move, shared by all replicas. The owner of a record is the replica that works on the move.
 * Column {@code number} has the first number of the owner's block of fence numbers ({@link FenceNumbers}) until the
 * owner ends its work, or until another replica takes the record over after the lease has expired. A statement with the
 * number of a former owner changes nothing here. Placement refuses a write with such a number after the next owner has
 * settled the consumers ({@link io.berth.scheduler.placement.PlacementClient#settle}) or written to them.
 */
@Singleton
public class MoveStore {
    /**
     * SQL for the result column {@code state}. The table column never has the value 'confirmed': a confirmed move stays
     * 'moved' there, and has {@code confirmed_at}.
     */
    static final String STATE = "CASE WHEN moves.confirmed_at IS NULL THEN moves.state ELSE 'confirmed' END AS state";
    /** The result columns that {@link #first} reads. */
    private static final String COLUMNS = """
            migration_uuid, instance_uuid, kind, source_uuid, %s, held_before #>> '{}' AS held_before,
                      held_after #>> '{}' AS held_after, answer, request_id, first_number, number, attempts
            """.formatted(STATE);

    /** Finds a move. Params: 1 migration. Returns {@link #COLUMNS}. Zero rows: no such move. */
    static final String FIND = "SELECT " + COLUMNS + " FROM moves WHERE migration_uuid = $1";

    /**
     * Starts a move, or starts a failed move again. Params: 1 migration, 2 instance, 3 kind, 4 source or null, 5 the
     * instance's allocations as JSON text, 6 request id, 7 lease in seconds, 8 id of the user who sent the request or
     * null, 9 first fence number of a move whose record was lost, or null. Stores the present registration of the
     * instance as {@code instance_before}. Returns {@link #COLUMNS} of the started move. Zero rows: the migration has a
     * record that is not failed. Fails with a unique violation while another move or request of the instance is open.
     */
    static final String START = """
            WITH next AS MATERIALIZED (SELECT %s AS number)
            INSERT INTO moves (migration_uuid, instance_uuid, kind, source_uuid, state, held_before, instance_before,
                               request_id, first_number, number, lease_until, user_id)
            SELECT $1, $2, $3, $4, 'started', cast(cast($5 AS text) AS jsonb),
                   (SELECT body FROM instances WHERE uuid = $2), $6, coalesce($9, number), number,
                   now() + make_interval(secs => $7), $8
              FROM next
            ON CONFLICT (migration_uuid) DO UPDATE
               SET state = 'started', held_before = excluded.held_before, held_after = NULL,
                   instance_before = excluded.instance_before, answer = NULL, request_id = excluded.request_id,
                   first_number = excluded.first_number, number = excluded.number, lease_until = excluded.lease_until,
                   attempts = 0, changed_at = now(), begun_at = now(), user_id = excluded.user_id
             WHERE moves.state = 'failed'
            RETURNING %s
            """.formatted(FenceNumbers.NEXT, COLUMNS);

    /**
     * Takes the ownership of a move and changes its state. Params: 1 migration, 2 current state, 3 next state, 4 id of
     * the request that takes the move over, or null to keep the stored id, 5 lease in seconds. If both states are
     * equal, {@code changed_at} stays. Returns {@link #COLUMNS}. Zero rows: the move is in another state, is confirmed,
     * or has an owner whose lease has not expired. Fails with a unique violation if another move or request of the
     * instance is open.
     */
    static final String TAKE = """
            UPDATE moves
               SET state = $3, number = %s, request_id = coalesce($4, request_id),
                   lease_until = now() + make_interval(secs => $5),
                   changed_at = CASE WHEN state = $3 THEN changed_at ELSE now() END
             WHERE migration_uuid = $1 AND state = $2 AND confirmed_at IS NULL
               AND (number IS NULL OR lease_until < now())
            RETURNING %s
            """.formatted(FenceNumbers.NEXT, COLUMNS);

    /**
     * Takes over the open move whose lease, or whose pause after a failed attempt, ended first. Params: 1 lease in
     * seconds. Returns {@link #COLUMNS}. Zero rows: no open move is due.
     */
    static final String TAKE_DUE = """
            UPDATE moves
               SET number = %s, lease_until = now() + make_interval(secs => $1)
             WHERE migration_uuid = (
                    SELECT migration_uuid FROM moves
                     WHERE state IN ('started', 'reverting') AND lease_until < now()
                     ORDER BY lease_until LIMIT 1 FOR UPDATE SKIP LOCKED)
            RETURNING %s
            """.formatted(FenceNumbers.NEXT, COLUMNS);

    /**
     * Records that the target of a move is claimed, and ends the ownership. Params: 1 migration, 2 owner's number, 3
     * the instance's allocations after the move as JSON text, 4 response, 5 the instance's new registration as JSON
     * text. An existing registration keeps its metadata, and the names that the new registration lacks
     * ({@link InstanceSql#BODY_WITH_NAMES}). The server-group reservations of the move, except those on the source,
     * become memberships of the instance. Stores the registration before the move again as {@code instance_before}: the
     * snapshot of {@link #START} may have been older than the end of the move or request that owned the instance
     * before. Returns the uuid of the instance. Zero rows: the move has another owner or none.
     */
    static final String MOVED = """
            WITH moved AS (
                UPDATE moves
                   SET state = 'moved', held_after = cast(cast($3 AS text) AS jsonb), answer = $4, number = NULL,
                       instance_before = (SELECT body FROM instances WHERE uuid = instance_uuid),
                       lease_until = now(), changed_at = now()
                 WHERE migration_uuid = $1 AND number = $2 AND state = 'started'
                RETURNING migration_uuid, instance_uuid),
            %s,
            followed AS (
                %s FROM moved
                %s)
            SELECT instance_uuid FROM moved
            """.formatted(
            GroupMembershipSql.releaseAndJoin("moved", "'move:' || migration_uuid"),
            InstanceSql.insert("instance_uuid", "cast(cast($5 AS text) AS jsonb)"),
            InstanceSql.orReplace(InstanceSql.BODY_WITH_NAMES + " || CASE WHEN instances.body ? 'metadata'"
                    + " THEN jsonb_build_object('metadata', instances.body -> 'metadata') ELSE '{}' END"));

    /**
     * Sets the state of a move and ends the ownership. Params: 1 migration, 2 owner's number, 3 the new state, or the
     * present state to end only the ownership. A confirmed move stays 'moved' in the table, see {@link #STATE}. Deletes
     * the server-group reservations of a failed move. Changes nothing if the move has another owner.
     */
    static final String END = """
            WITH ended AS (
                UPDATE moves
                   SET state = CASE WHEN $3 = 'confirmed' THEN 'moved' ELSE $3 END, number = NULL, lease_until = now(),
                       confirmed_at = CASE WHEN $3 = 'confirmed' THEN now() END,
                       changed_at = CASE WHEN state = $3 THEN changed_at ELSE now() END
                 WHERE migration_uuid = $1 AND number = $2
                RETURNING migration_uuid, state)
            DELETE FROM server_group_reservations USING ended
             WHERE ended.state = 'failed' AND holder = 'move:' || migration_uuid
            """;

    /**
     * Records that a move is reverted, and ends the ownership. Params: 1 migration, 2 owner's number. Restores the
     * instance's registration from before the move. If there was none, but the move has a server-group reservation on
     * the source ({@code leaving}), registers the instance on the host of this reservation, so that the instance still
     * counts as a member there. If there was neither, deletes the registration. Deletes the reservations of the move.
     * Changes nothing if the move has another owner.
     */
    static final String REVERTED = """
            WITH reverted AS (
                UPDATE moves SET state = 'reverted', number = NULL, lease_until = now(), changed_at = now()
                 WHERE migration_uuid = $1 AND number = $2 AND state = 'reverting'
                RETURNING migration_uuid, instance_uuid, instance_before),
            risen AS (
                DELETE FROM server_group_reservations USING reverted
                 WHERE holder = 'move:' || migration_uuid
                RETURNING host, leaving),
            place AS (
                SELECT instance_uuid, coalesce(instance_before, (
                           SELECT jsonb_build_object('host', host) FROM risen WHERE leaving LIMIT 1)) AS body
                  FROM reverted),
            restored AS (
                %s FROM place WHERE body IS NOT NULL
                %s)
            %s AND place.body IS NULL
            """.formatted(
            InstanceSql.insert("instance_uuid", "body"), InstanceSql.orReplace("excluded.body"),
            InstanceSql.delete("place", "instance_uuid"));

    /**
     * Ends the ownership of an open move and counts a failed attempt. Params: 1 migration, 2 owner's number or null for
     * any owner, 3 request id, 4 seconds until the move is due again. Changes nothing if the move has no owner, another
     * owner, or a request with another id.
     */
    static final String POSTPONE = """
            UPDATE moves
               SET number = NULL, lease_until = now() + make_interval(secs => $4), attempts = attempts + 1
             WHERE migration_uuid = $1 AND number = coalesce($2, number) AND request_id = $3
               AND state IN ('started', 'reverting')
            """;

    /**
     * Deletes moves that are not open and whose state changed long ago. Params: 1 minimum seconds since this change, 2
     * maximum rows. ARRAY makes PostgreSQL run the subquery once, whatever the query plan.
     */
    static final String PRUNE = """
            DELETE FROM moves
             WHERE migration_uuid = ANY(ARRAY(
                    SELECT migration_uuid FROM moves
                     WHERE changed_at < now() - make_interval(secs => $1) AND state NOT IN ('started', 'reverting')
                     ORDER BY changed_at LIMIT $2))
            """;

    private final Pool pool;

    MoveStore(@ReactiveDataSource("decisions") Pool pool) {
        this.pool = pool;
    }

    /** Returns the move of a migration; null if there is none. */
    public Uni<Move> find(UUID migration) {
        return pool.preparedQuery(FIND).execute(Tuple.of(migration)).map(MoveStore::first);
    }

    /**
     * Writes the record of a move that begins, and makes the caller its owner. A move that has fence numbers already,
     * because PostgreSQL lost its record in a failover, keeps its first one.
     *
     * @param userId id of the user who sent the request; null if unknown
     * @return null if the migration has a record that is not failed, or another move or request of the instance is open
     */
    public Uni<Move> start(Move move, @Nullable String userId, double leaseSeconds) {
        Tuple params = Tuple.tuple()
                .addUUID(move.migrationUuid())
                .addUUID(move.instanceUuid())
                .addString(move.kind().wireName())
                .addUUID(move.sourceUuid())
                .addString(AllocationsText.render(move.heldBefore()))
                .addString(move.requestId())
                .addDouble(leaseSeconds)
                .addString(userId)
                .addLong(move.firstNumber() == 0 ? null : move.firstNumber());
        return orEndOwnership(move, pool.preparedQuery(START)
                .execute(params)
                .map(MoveStore::first)
                .onFailure(SqlFault.UNIQUE_VIOLATION::isKindOf).recoverWithNull());
    }

    /**
     * Takes the ownership of a move, and changes its state.
     *
     * @param requestId id of the request that takes the move over; null to keep the stored id
     * @return null if the move is in another state or has an owner whose lease has not expired, or if another move or
     *     request of the instance is open
     */
    public Uni<Move> takeOver(
            UUID migration, MoveState from, MoveState to, @Nullable String requestId, double leaseSeconds) {
        return pool.preparedQuery(TAKE)
                .execute(Tuple.of(migration, from.stored(), to.stored(), requestId, leaseSeconds))
                .map(MoveStore::first)
                .onFailure(SqlFault.UNIQUE_VIOLATION::isKindOf).recoverWithNull();
    }

    /** Takes over an open move that is due, see {@link #TAKE_DUE}; null if there is none. */
    Uni<Move> takeDue(double leaseSeconds) {
        return pool.preparedQuery(TAKE_DUE)
                .execute(Tuple.of(leaseSeconds))
                .map(MoveStore::first);
    }

    /**
     * Records that the target is claimed. The caller must wrap this call, and the steps that precede it, in
     * {@link #orEndOwnership}.
     *
     * @param answer the response to the client
     * @param instance the instance's new registration as JSON text
     * @return false if another owner took the move over
     */
    Uni<Boolean> recordMoved(Move move, Map<String, Map<String, Long>> heldAfter, String answer, String instance) {
        return pool.preparedQuery(MOVED)
                .execute(Tuple.of(
                        move.migrationUuid(), move.number(), AllocationsText.render(heldAfter), answer, instance))
                .map(rows -> rows.size() > 0);
    }

    /** Sets the state of a move and ends its ownership, see {@link #END}. */
    public Uni<Void> end(Move move, MoveState state) {
        return orEndOwnership(move, run(END, Tuple.of(move.migrationUuid(), move.number(), state.stored())));
    }

    /** Records that the move is reverted, and restores the registration of the instance. */
    Uni<Void> recordReverted(Move move) {
        return orEndOwnership(move, run(REVERTED, Tuple.of(move.migrationUuid(), move.number())));
    }

    /**
     * Returns the write to the record of a move. If the write fails or has no response, also ends the ownership of the
     * move if it is still open. The next request for the move, or {@link OpenWork}, then finishes it.
     */
    <T> Uni<T> orEndOwnership(Move move, Uni<T> written) {
        return written.onFailure()
                .call(() -> OpenWork.retryAfterLoss(postpone(move, OpenWork.pauseSeconds(move.attempts())))
                        // If this statement fails, too, the ownership ends when the lease expires.
                        .onFailure().recoverWithNull());
    }

    /**
     * Ends the ownership of a move that could not be finished.
     *
     * @param seconds pause until the move is due again
     */
    Uni<Void> postpone(Move move, double seconds) {
        return run(POSTPONE, Tuple.of(move.migrationUuid(), move.number(), move.requestId(), seconds));
    }

    /**
     * Ends the ownership of an open move by a request that exceeds its time limit, so that the request cannot change
     * the record of the move any more.
     */
    Uni<Void> endOwnership(UUID migration, String requestId) {
        return run(POSTPONE, Tuple.of(migration, null, requestId, 0.0));
    }

    /**
     * Deletes closed moves, and returns how many.
     *
     * @param keepSeconds minimum time since the last change of state
     * @param max maximum moves to delete
     */
    Uni<Integer> prune(double keepSeconds, int max) {
        return pool.preparedQuery(PRUNE).execute(Tuple.of(keepSeconds, (long) max)).map(RowSet::rowCount);
    }

    private Uni<Void> run(String sql, Tuple params) {
        return pool.preparedQuery(sql).execute(params).replaceWithVoid();
    }

    private static @Nullable Move first(RowSet<Row> rows) {
        if (rows.size() == 0) {
            return null;
        }
        Row row = rows.iterator().next();
        String after = row.getString("held_after");
        return new Move(
                row.getUUID("migration_uuid"),
                row.getUUID("instance_uuid"),
                MoveKind.of(row.getString("kind")),
                row.getUUID("source_uuid"),
                MoveState.of(row.getString("state")),
                AllocationsText.parse(row.getString("held_before")),
                after == null ? null : AllocationsText.parse(after),
                row.getString("answer"),
                row.getString("request_id"),
                row.getLong("first_number"),
                row.getLong("number"),
                row.getInteger("attempts"));
    }
}
