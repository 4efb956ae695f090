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
 * Releases all allocations of consumers in one round trip, which contains the locks (in the order of every writer:
 * consumers by uuid, then providers by id), the change and COMMIT. That is possible because a release needs no
 * decision.
 */
final class ReleaseStore {
    private static final String BEGIN = "BEGIN ISOLATION LEVEL READ COMMITTED";

    private static final String COMMIT = "COMMIT";

    /** Locks consumers. Params: 1 uuids of the consumers. */
    private static final String LOCK =
            "SELECT uuid FROM consumers WHERE uuid = ANY($1::uuid[]) ORDER BY uuid FOR UPDATE";

    /**
     * Deletes the allocations and the consumers, lowers the use of inventories, records the consumers as released, and
     * keeps their fences. Params: 1 uuids of consumers. Returns a row with the uuid of each consumer that held
     * allocations. Releases only consumers that {@link #LOCK} locked, whose {@code xmax} is this transaction: another
     * transaction may be writing allocations of a consumer that it inserted after {@link #LOCK} ran. An earlier
     * statement locked the providers, so this statement sees all their inventories. Aborts with a division by zero (in
     * the second column, which is not used otherwise) if the use of an inventory was not lowered; a CHECK constraint
     * prevents a negative use.
     */
    private static final String RELEASE = """
            WITH removed AS (
                 DELETE FROM allocations
                  WHERE consumer_uuid = ANY(ARRAY(
                        SELECT uuid FROM consumers
                         WHERE uuid = ANY($1::uuid[]) AND xmax = pg_current_xact_id_if_assigned()::xid))
                 RETURNING consumer_uuid, provider_id, resource_class_id, used),
            freed AS (
                 SELECT provider_id, resource_class_id, sum(used)::bigint AS units
                   FROM removed
                  GROUP BY provider_id, resource_class_id),
            lowered AS (
                 UPDATE inventories
                    SET used = inventories.used - freed.units
                   FROM freed
                  WHERE inventories.provider_id = freed.provider_id
                    AND inventories.resource_class_id = freed.resource_class_id
                 RETURNING 1),
            gone AS (
                 DELETE FROM consumers WHERE uuid = ANY(ARRAY(SELECT consumer_uuid FROM removed))
                 RETURNING uuid, fence),
            released AS (
                 INSERT INTO released_consumers (uuid) SELECT uuid FROM gone),
            fenced AS (
            """ + ConsumerFences.KEEP_TEMPLATE.formatted("gone") + """
            ),
            recorded AS (
            """ + FleetChanges.RECORD_TEMPLATE.formatted(
            FleetChanges.PROVIDER + "::smallint", "ARRAY(SELECT DISTINCT provider_id FROM removed)") + """
            )
            SELECT uuid, 1 / ((SELECT count(*) FROM lowered) =
                (SELECT count(*) FROM freed JOIN inventories USING (provider_id, resource_class_id)))::int FROM gone
            """;

    private final SqlConnection connection;

    ReleaseStore(SqlConnection connection) {
        this.connection = connection;
    }

    /**
     * The results of RELEASE and COMMIT.
     *
     * @param consumers the uuids of the consumers that held allocations
     * @param committed the response to COMMIT, which was sent without waiting for the response to RELEASE
     */
    record Released(Future<Set<UUID>> consumers, Future<?> committed) {}

    /** Releases the allocations of consumers; a consumer may be listed twice. */
    Released release(List<UUID> consumers) {
        UUID[] uuids = consumers.stream().distinct().toArray(UUID[]::new);
        var begun = connection.query(BEGIN).execute();
        var locked = connection.preparedQuery(LOCK).execute(ColumnParameters.of(uuids));
        var providers = connection.preparedQuery(ProviderLocks.LOCK_TOUCHED)
                .execute(ColumnParameters.of(new UUID[0], uuids));
        var released = connection.preparedQuery(RELEASE).execute(ColumnParameters.of(uuids));
        var committed = connection.query(COMMIT).execute();
        return new Released(Future.all(begun, locked, providers, released).map(done -> {
            Set<UUID> holders = HashSet.newHashSet(released.result().size());
            for (Row row : released.result()) {
                holders.add(row.getUUID(0));
            }
            return holders;
        }), committed);
    }
}
