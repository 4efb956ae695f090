package io.berth.placement.ledger;

import io.vertx.core.Future;
import io.vertx.sqlclient.Pool;
import io.vertx.sqlclient.Row;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;

/** Determines which rows other transactions have locked, without waiting for the locks. */
final class LockQuery {
    /**
     * Params: 1 uuids of providers and consumers. Returns the uuid of each of these providers and consumers whose row
     * is locked. For each of the consumers that has allocations on a locked provider, also returns the uuids of the
     * consumer and of that provider. The statement itself locks the free rows, until it ends.
     */
    private static final String LOCKED = """
            WITH providers AS (
                 SELECT id, uuid FROM resource_providers WHERE uuid = ANY($1::uuid[])
                  UNION
                 SELECT p.id, p.uuid
                   FROM allocations a JOIN resource_providers p ON p.id = a.provider_id
                  WHERE a.consumer_uuid = ANY($1::uuid[])),
            free_providers AS MATERIALIZED (
                 SELECT id FROM resource_providers WHERE id IN (SELECT id FROM providers) FOR UPDATE SKIP LOCKED),
            free_consumers AS MATERIALIZED (
                 SELECT uuid FROM consumers WHERE uuid = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED)
            SELECT uuid FROM providers WHERE id NOT IN (SELECT id FROM free_providers)
             UNION
            SELECT uuid FROM consumers
             WHERE uuid = ANY($1::uuid[]) AND uuid NOT IN (SELECT uuid FROM free_consumers)
             UNION
            SELECT consumer_uuid FROM allocations
             WHERE consumer_uuid = ANY($1::uuid[])
               AND provider_id IN (SELECT id FROM providers) AND provider_id NOT IN (SELECT id FROM free_providers)
            """;

    private LockQuery() {}

    /**
     * Returns those of the given uuids whose provider or consumer is locked now. For each given consumer that has
     * allocations on a locked provider, also returns the consumer and that provider: the consumer itself may be free,
     * and the provider need not be given. Does not detect a row that another transaction has inserted and not yet
     * committed.
     */
    static Future<Set<UUID>> find(Pool pool, Collection<UUID> providersAndConsumers) {
        return pool.preparedQuery(LOCKED)
                .execute(ColumnParameters.of(providersAndConsumers.toArray(UUID[]::new)))
                .map(rows -> {
                    Set<UUID> locked = new HashSet<>();
                    for (Row row : rows) {
                        locked.add(row.getUUID(0));
                    }
                    return locked;
                });
    }
}
