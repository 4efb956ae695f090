package io.berth.placement.ledger;

import io.berth.placement.db.ConsumerFences;
import io.berth.placement.db.FleetChanges;
import io.berth.placement.db.ProviderLocks;
import io.vertx.core.Future;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.SqlConnection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * Releases all allocations of consumers. No decision depends on data that is read first, so one round trip is enough
 * for the locks, in the common order (consumers, then providers by id), the change and its COMMIT.
 */
final class ReleaseStore {
    private static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED";

    private static final String COMMIT = "COMMIT";

    /** Params: 1 uuids. */
    private static final String LOCK = "SELECT uuid FROM consumers WHERE uuid = ANY($1::uuid[]) ORDER BY uuid FOR UPDATE";

    /**
     * Params: 1 uuids. Returns a row for each consumer that held allocations. Only consumers that {@link #LOCK} locked
     * count, so that no other transaction adds an allocation meanwhile; one created since is not locked. An earlier
     * statement has locked their providers, so that this one sees each inventory, including one that was created
     * meanwhile. 1/0 aborts the statement if {@code used} would go negative, so nothing is written.
     */
    private static final String RELEASE = """
            WITH given AS (
                 DELETE FROM allocations
                  WHERE consumer_uuid = ANY(ARRAY(
                        SELECT uuid FROM consumers
                         WHERE uuid = ANY($1::uuid[]) AND xmax = pg_current_xact_id_if_assigned()::xid))
                 RETURNING consumer_uuid, provider_id, resource_class_id, used),
            freed AS (
                 SELECT provider_id, resource_class_id, sum(used)::bigint AS units
                   FROM given
                  GROUP BY provider_id, resource_class_id),
            lowered AS (
                 UPDATE inventories
                    SET used = inventories.used - freed.units
                   FROM freed
                  WHERE inventories.provider_id = freed.provider_id
                    AND inventories.resource_class_id = freed.resource_class_id
                 RETURNING 1),
            gone AS (
                 DELETE FROM consumers WHERE uuid = ANY(ARRAY(SELECT consumer_uuid FROM given)) RETURNING uuid, fence),
            released AS (
                 INSERT INTO released_consumers (uuid) SELECT uuid FROM gone),
            fenced AS (
            """ + ConsumerFences.KEEP_TEMPLATE.formatted("gone") + """
            ),
            recorded AS (
            """ + FleetChanges.RECORD_TEMPLATE.formatted(
            FleetChanges.PROVIDER + "::smallint", "ARRAY(SELECT DISTINCT provider_id FROM given)") + """
            )
            SELECT uuid, 1 / ((SELECT count(*) FROM lowered) =
                (SELECT count(*) FROM freed JOIN inventories USING (provider_id, resource_class_id)))::int FROM gone
            """;

    private final SqlConnection connection;

    ReleaseStore(SqlConnection connection) {
        this.connection = connection;
    }

    /**
     * The results of the two statements.
     *
     * @param consumers the consumers that held allocations
     * @param committed the result of COMMIT, which was sent right after the change
     */
    record Released(Future<Set<UUID>> consumers, Future<?> committed) {}

    Released release(List<UUID> consumers) {
        UUID[] uuids = consumers.stream().distinct().toArray(UUID[]::new);
        var begun = connection.query(BEGIN).execute();
        var locked = connection.preparedQuery(LOCK).execute(ColumnParameters.of(uuids));
        var providers = connection.preparedQuery(ProviderLocks.LOCK_TOUCHED)
                .execute(ColumnParameters.of(new UUID[0], uuids));
        var released = connection.preparedQuery(RELEASE).execute(ColumnParameters.of(uuids));
        var committed = connection.query(COMMIT).execute();
        return new Released(Future.all(begun, locked, providers, released).map(done -> {
            Set<UUID> gone = HashSet.newHashSet(released.result().size());
            for (Row row : released.result()) {
                gone.add(row.getUUID(0));
            }
            return gone;
        }), committed);
    }
}
