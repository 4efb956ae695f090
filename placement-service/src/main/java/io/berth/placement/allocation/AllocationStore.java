package io.berth.placement.allocation;

import io.berth.placement.db.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Cursor;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.RowSet;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/** Reads allocations; writing them is the ledger's. Each answer is of one moment. */
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
     * Params: 1 provider uuid, 2 most rows. No rows: no such provider. One row with a null {@code other}: nothing is
     * allocated on it.
     */
    private static final String ON_PROVIDER = """
            SELECT p.generation, a.*
              FROM resource_providers p
              LEFT JOIN LATERAL (
                   SELECT a.consumer_uuid AS other, c.generation AS other_generation, r.name AS resource_class, a.used,
                          (extract(epoch FROM a.updated_at) * 1000)::bigint AS updated_ms, a.resource_class_id
                     FROM allocations a
                     JOIN consumers c ON c.uuid = a.consumer_uuid
                     JOIN resource_classes r ON r.id = a.resource_class_id
                    WHERE a.provider_id = p.id
                    LIMIT $2) a ON true
             WHERE p.uuid = $1
             ORDER BY a.other, a.resource_class_id
            """;

    /** Params: 1 provider uuid. No rows: no such provider. */
    private static final String COUNT_ON_PROVIDER = """
            SELECT p.generation, (SELECT count(*) FROM allocations WHERE provider_id = p.id)::int AS most
              FROM resource_providers p
             WHERE p.uuid = $1
            """;
    private static final int PAGE = 2_000;

    private final Reads reads;

    AllocationStore(Reads reads) {
        this.reads = reads;
    }

    /**
     * @param consumerType null: never said
     * @param amounts by provider, then class
     */
    record OfConsumer(
            int generation, String projectId, String userId, String consumerType, AllocatedColumns amounts) {}

    /** @param amounts by consumer, then class */
    record OnProvider(int generation, AllocatedColumns amounts) {}

    /**
     * @param other the provider that a consumer has it from, or the consumer that has it from a provider
     * @param otherGeneration of that one
     */
    record Allocated(UUID other, int otherGeneration, String resourceClass, long used) {}

    /** Null when the consumer holds nothing. */
    Uni<OfConsumer> findOfConsumer(UUID consumer) {
        return reads.run(OF_CONSUMER, Tuple.of(consumer)).map(rows -> {
            AllocatedColumns amounts = amounts(rows);
            if (amounts.isEmpty()) {
                return null;
            }
            Row any = rows.iterator().next();
            return new OfConsumer(
                    any.getInteger("generation"), any.getString("project_id"), any.getString("user_id"),
                    any.getString("consumer_type"), amounts);
        });
    }

    /**
     * Null when there is no such provider.
     *
     * @param most more amounts are left out, any of them
     */
    Uni<OnProvider> findOnProvider(UUID provider, int most) {
        return reads.run(ON_PROVIDER, Tuple.of(provider, most)).map(rows -> rows.size() == 0
                ? null
                : new OnProvider(rows.iterator().next().getInteger("generation"), amounts(rows)));
    }

    /**
     * As {@link #findOnProvider}, all of it, page by page.
     *
     * @param hold told the bytes that it will take; what it throws ends the reading
     * @param isOver whether nobody waits for it any more: then the rest stays away
     */
    Uni<OnProvider> readOnProvider(UUID provider, LongConsumer hold, BooleanSupplier isOver) {
        return reads.snapshot(connection -> connection.preparedQuery(COUNT_ON_PROVIDER).execute(Tuple.of(provider))
                .chain(rows -> {
                    if (rows.size() == 0) {
                        return Uni.createFrom().nullItem();
                    }
                    Row counted = rows.iterator().next();
                    int most = counted.getInteger("most");
                    hold.accept((long) most * AllocatedColumns.ROW_BYTES);
                    var amounts = new AllocatedColumns(most);
                    return connection.prepare(ON_PROVIDER)
                            .chain(statement -> pages(statement.cursor(Tuple.of(provider, most)), amounts, isOver)
                                    .chain(statement::close))
                            .replaceWith(() -> new OnProvider(counted.getInteger("generation"), amounts));
                }));
    }

    private static Uni<?> pages(Cursor cursor, AllocatedColumns amounts, BooleanSupplier isOver) {
        return Uni.createFrom().deferred(() -> cursor.read(PAGE))
                .invoke(amounts::addAll)
                .repeat().until(_ -> !cursor.hasMore() || isOver.getAsBoolean())
                .collect().last();
    }

    private static AllocatedColumns amounts(RowSet<Row> rows) {
        var amounts = new AllocatedColumns(rows.size());
        amounts.addAll(rows);
        return amounts;
    }
}
