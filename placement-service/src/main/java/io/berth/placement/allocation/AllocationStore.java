package io.berth.placement.allocation;

import io.berth.placement.db.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Reads allocations; writing them is the ledger's. Each answer is one statement, so one moment. */
@Singleton
public final class AllocationStore {
    /** Params: 1 consumer uuid. No rows: it holds nothing, or there is no such consumer. */
    private static final String OF_CONSUMER = """
            SELECT p.uuid AS other, p.generation AS other_generation, r.name AS resource_class, a.used,
                   c.generation, c.project_id, c.user_id, c.consumer_type,
                   (extract(epoch FROM a.updated_at) * 1000)::bigint AS updated_ms
              FROM allocations a
              JOIN consumers c ON c.uuid = a.consumer_uuid
              JOIN resource_providers p ON p.id = a.provider_id
              JOIN resource_classes r ON r.id = a.resource_class_id
             WHERE a.consumer_uuid = $1
             ORDER BY a.provider_id, a.resource_class_id
            """;

    /**
     * Params: 1 provider uuid. No rows: no such provider. One row with a null {@code other}: nothing is allocated on it.
     */
    private static final String ON_PROVIDER = """
            SELECT p.generation, a.consumer_uuid AS other, c.generation AS other_generation, r.name AS resource_class, a.used,
                   (extract(epoch FROM a.updated_at) * 1000)::bigint AS updated_ms
              FROM resource_providers p
              LEFT JOIN (allocations a
                         JOIN consumers c ON c.uuid = a.consumer_uuid
                         JOIN resource_classes r ON r.id = a.resource_class_id) ON a.provider_id = p.id
             WHERE p.uuid = $1
             ORDER BY a.consumer_uuid, a.resource_class_id
            """;

    private final Reads reads;

    AllocationStore(Reads reads) {
        this.reads = reads;
    }

    /**
     * @param consumerType null: never said
     * @param amounts by provider, then class
     */
    record OfConsumer(
            int generation, String projectId, String userId, String consumerType, List<Allocated> amounts) {}

    /** @param amounts by consumer, then class */
    record OnProvider(int generation, List<Allocated> amounts) {}

    /**
     * @param other the provider that a consumer has it from, or the consumer that has it from a provider
     * @param otherGeneration of that one
     * @param updatedAtMs epoch milliseconds of the claim
     */
    record Allocated(UUID other, int otherGeneration, String resourceClass, long used, long updatedAtMs) {}

    /** Null when the consumer holds nothing. */
    Uni<OfConsumer> findOfConsumer(UUID consumer) {
        return reads.run(OF_CONSUMER, Tuple.of(consumer)).map(rows -> {
            List<Allocated> amounts = amounts(rows);
            if (amounts.isEmpty()) {
                return null;
            }
            Row any = rows.iterator().next();
            return new OfConsumer(
                    any.getInteger("generation"), any.getString("project_id"), any.getString("user_id"),
                    any.getString("consumer_type"), amounts);
        });
    }

    /** Null when there is no such provider. */
    Uni<OnProvider> findOnProvider(UUID provider) {
        return reads.run(ON_PROVIDER, Tuple.of(provider)).map(rows -> rows.size() == 0
                ? null
                : new OnProvider(rows.iterator().next().getInteger("generation"), amounts(rows)));
    }

    private static List<Allocated> amounts(RowSet<Row> rows) {
        List<Allocated> amounts = new ArrayList<>(rows.size());
        for (Row row : rows) {
            if (row.getUUID("other") != null) {
                amounts.add(new Allocated(
                        row.getUUID("other"), row.getInteger("other_generation"), row.getString("resource_class"),
                        row.getLong("used"), row.getLong("updated_ms")));
            }
        }
        return amounts;
    }
}
