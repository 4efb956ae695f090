package io.berth.placement.allocation;

import io.berth.placement.db.Reads;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Cursor;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;

/**
 * Reads the allocations of a consumer or on a provider. All rows of a result come from one snapshot of the database.
 * {@link io.berth.placement.ledger.Ledger} writes allocations. Apart from it, only the audit changes them.
 */
@Singleton
public final class AllocationStore {
    /**
     * Params: 1 consumer uuid, 2 limit of rows. Returns a row per allocation: the provider ({@code other}, {@code
     * other_generation}), the amount ({@code resource_class}, {@code used}), the time of its latest write ({@code
     * updated_ms}, epoch milliseconds), and the consumer's columns, the same in every row. Returns no rows if the
     * consumer holds nothing or does not exist.
     */
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
             LIMIT $2
            """;

    /**
     * Params: 1 consumer uuid. Returns one row: the consumer's columns, and {@code most}, the number of its
     * allocations. Returns no rows if the consumer does not exist.
     */
    private static final String COUNT_OF_CONSUMER = """
            SELECT c.generation, c.project_id, c.user_id, c.consumer_type,
                   (SELECT count(*) FROM allocations WHERE consumer_uuid = c.uuid)::int AS most
              FROM consumers c
             WHERE c.uuid = $1
            """;

    /**
     * Params: 1 provider uuid, 2 limit of rows. Returns a row per allocation: the consumer ({@code other}, {@code
     * other_generation}), the amount ({@code resource_class}, {@code used}), the time of its latest write ({@code
     * updated_ms}, epoch milliseconds), and the provider's generation, the same in every row. If there are more
     * allocations than the limit, returns an arbitrary choice of them. Returns one row with a null {@code other} if
     * nothing is allocated on the provider, and no rows if the provider does not exist.
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

    /**
     * Params: 1 provider uuid. Returns one row: the provider's generation, and {@code most}, the number of allocations
     * on the provider. Returns no rows if the provider does not exist.
     */
    private static final String COUNT_ON_PROVIDER = """
            SELECT p.generation, (SELECT count(*) FROM allocations WHERE provider_id = p.id)::int AS most
              FROM resource_providers p
             WHERE p.uuid = $1
            """;
    /** The number of rows that one fetch from a cursor returns at most. */
    private static final int PAGE_ROWS = 2_000;

    private final Reads reads;

    AllocationStore(Reads reads) {
        this.reads = reads;
    }

    /** The allocations of a consumer, or those on a provider. */
    sealed interface AllocationSet {
        AllocatedColumns amounts();
    }

    /**
     * The allocations of a consumer.
     *
     * @param consumerType null if the consumer has no type
     * @param amounts sorted by provider, then by class
     */
    record OfConsumer(
            int generation, String projectId, String userId, @Nullable String consumerType, AllocatedColumns amounts)
            implements
            AllocationSet {}

    /**
     * The allocations on a provider.
     *
     * @param amounts sorted by consumer, then by class
     */
    record OnProvider(int generation, AllocatedColumns amounts) implements AllocationSet {}

    /**
     * An amount of one resource class.
     *
     * @param other in a consumer's list the provider, in a provider's list the consumer
     * @param otherGeneration the generation of {@code other}
     */
    record Allocated(UUID other, int otherGeneration, String resourceClass, long used) {}

    /**
     * Returns the first allocations of the consumer; a null item if the consumer holds nothing or does not exist.
     *
     * @param rowsMax limit of amounts; further amounts are omitted
     */
    Uni<OfConsumer> findOfConsumer(UUID consumer, int rowsMax) {
        return find(OF_CONSUMER, consumer, rowsMax, AllocationStore::ofConsumer);
    }

    /**
     * Returns some allocations on the provider; a null item if the provider does not exist.
     *
     * @param rowsMax limit of amounts; if there are more, the choice of the returned amounts is arbitrary
     */
    Uni<OnProvider> findOnProvider(UUID provider, int rowsMax) {
        return find(ON_PROVIDER, provider, rowsMax, AllocationStore::onProvider);
    }

    private <T> Uni<T> find(String sql, UUID holder, int rowsMax, BiFunction<Row, AllocatedColumns, T> create) {
        return reads.run(sql, Tuple.of(holder, rowsMax)).map(rows -> {
            if (rows.size() == 0) {
                return null;
            }
            var amounts = new AllocatedColumns(rows.size());
            amounts.addAll(rows);
            return create.apply(rows.iterator().next(), amounts);
        });
    }

    /**
     * Reads all allocations of the consumer, which may be none, with the parameters of {@link #readOnProvider}. Returns
     * a null item if the consumer does not exist.
     */
    Uni<OfConsumer> readOfConsumer(UUID consumer, LongConsumer reserveBytes, BooleanSupplier isOver) {
        return read(COUNT_OF_CONSUMER, OF_CONSUMER, consumer, reserveBytes, isOver, AllocationStore::ofConsumer);
    }

    /**
     * Reads all allocations on the provider through a cursor, {@value #PAGE_ROWS} rows at a time. Returns a null item
     * if the provider does not exist.
     *
     * @param reserveBytes reserves memory for the whole list; called once, before any allocation is read, with the
     *         number of bytes. If it throws an exception, the read is aborted
     * @param isOver returns true if the client has disconnected; the remaining rows are then not read, and the result
     *         lacks them
     */
    Uni<OnProvider> readOnProvider(UUID provider, LongConsumer reserveBytes, BooleanSupplier isOver) {
        return read(COUNT_ON_PROVIDER, ON_PROVIDER, provider, reserveBytes, isOver, AllocationStore::onProvider);
    }

    private <T> Uni<T> read(
            String countSql, String sql, UUID holder, LongConsumer reserveBytes, BooleanSupplier isOver,
            BiFunction<Row, AllocatedColumns, T> create) {
        return reads.snapshot(connection -> connection.preparedQuery(countSql).execute(Tuple.of(holder))
                .chain(rows -> {
                    if (rows.size() == 0) {
                        return Uni.createFrom().nullItem();
                    }
                    Row counted = rows.iterator().next();
                    int count = counted.getInteger("most");
                    reserveBytes.accept((long) count * AllocatedColumns.ROW_BYTES);
                    var amounts = new AllocatedColumns(count);
                    return connection.prepare(sql)
                            .chain(statement -> readPages(statement.cursor(Tuple.of(holder, count)), amounts, isOver)
                                    .chain(statement::close))
                            .replaceWith(() -> create.apply(counted, amounts));
                }));
    }

    private static OfConsumer ofConsumer(Row row, AllocatedColumns amounts) {
        return new OfConsumer(
                row.getInteger("generation"), row.getString("project_id"), row.getString("user_id"),
                row.getString("consumer_type"), amounts);
    }

    private static OnProvider onProvider(Row row, AllocatedColumns amounts) {
        return new OnProvider(row.getInteger("generation"), amounts);
    }

    private static Uni<?> readPages(Cursor cursor, AllocatedColumns amounts, BooleanSupplier isOver) {
        return Uni.createFrom().deferred(() -> cursor.read(PAGE_ROWS))
                .invoke(amounts::addAll)
                .repeat().until(_ -> !cursor.hasMore() || isOver.getAsBoolean())
                .collect().last();
    }
}
