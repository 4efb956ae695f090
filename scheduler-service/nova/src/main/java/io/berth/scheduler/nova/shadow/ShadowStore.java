package io.berth.scheduler.nova.shadow;

import io.berth.context.Recurring;
import io.berth.scheduler.trace.DecisionId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.smallrye.mutiny.Uni;
import io.vertx.mutiny.sqlclient.Pool;
import io.vertx.mutiny.sqlclient.Row;
import io.vertx.mutiny.sqlclient.Tuple;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.StreamSupport;
import org.jboss.logging.Logger;

/**
 * Stores comparisons of Berth's choices with nova's in PostgreSQL, for all replicas. Every ten minutes, deletes
 * comparisons that are older than a week, and the oldest ones beyond {@value #KEPT_MAX} comparisons.
 */
@Singleton
class ShadowStore {
    private static final Logger LOG = Logger.getLogger(ShadowStore.class);
    /** The maximum number of comparisons that are kept. */
    static final int KEPT_MAX = 100_000;
    private static final Duration AGE_MAX = Duration.ofDays(7);
    private static final Duration PRUNE_INTERVAL = Duration.ofMinutes(10);

    /**
     * Params: 1 to 12 the columns in the order of the INSERT, each an array with one element per comparison. Ignores a
     * comparison if one with the same decision and instance is stored.
     */
    private static final String ADD = """
            INSERT INTO shadow_comparisons (decision, instance, verdict, reason, made_by, host, nova_host,
                                            weight, nova_weight, detail, decided_ms, seen_ms)
            SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                                 $8::float8[], $9::float8[], $10::text[], $11::float8[], $12::float8[])
            ON CONFLICT DO NOTHING
            """;

    /**
     * Params: 1 lowest decision id that is not too old, 2 maximum number of comparisons to keep; those of one decision
     * are deleted together. A decision id begins with the time of the decision, so that later decisions have higher
     * ids.
     */
    private static final String PRUNE = """
            DELETE FROM shadow_comparisons
             WHERE decision < $1
                OR decision <= (SELECT decision FROM shadow_comparisons ORDER BY decision DESC OFFSET $2 LIMIT 1)
            """;

    /**
     * Params: 1 lowest decision id that counts. One row per verdict, reason and cause ({@code made_by}), with the
     * number of comparisons; the most frequent row first.
     */
    private static final String COUNTS = """
            SELECT verdict, reason, made_by, count(*) AS count
              FROM shadow_comparisons WHERE decision >= $1
             GROUP BY verdict, reason, made_by
             ORDER BY count DESC, verdict, reason, made_by
            """;

    /**
     * Params: 1 lowest decision id that counts. One row with medians and 90th percentiles, in milliseconds: of the time
     * until Berth's choice ({@code decided}), and until nova's claim was seen ({@code seen}). Comparisons with the
     * reason {@code failed} do not count. A value is null if no comparison has this time.
     */
    private static final String TIMES = """
            SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY decided_ms) AS decided,
                   percentile_cont(0.9) WITHIN GROUP (ORDER BY decided_ms) AS decided_90,
                   percentile_cont(0.5) WITHIN GROUP (ORDER BY seen_ms) AS seen,
                   percentile_cont(0.9) WITHIN GROUP (ORDER BY seen_ms) AS seen_90
              FROM shadow_comparisons WHERE decision >= $1 AND reason IS DISTINCT FROM 'failed'
            """;

    /** Params: 1 lowest decision id that counts, 2 maximum number of rows. One row per difference, the latest first. */
    private static final String DIFFERENCES = """
            SELECT decision, instance, reason, made_by, host, nova_host, weight, nova_weight, detail
              FROM shadow_comparisons WHERE decision >= $1 AND verdict = 'different'
             ORDER BY decision DESC, instance LIMIT $2
            """;

    private final Pool pool;
    private final MeterRegistry meters;
    private final Counter notWritten;
    private final Counter dropped;

    ShadowStore(Pool pool, MeterRegistry meters) {
        this.pool = pool;
        this.meters = meters;
        for (Comparison.Verdict verdict : Comparison.Verdict.values()) {
            counter(verdict.wireName());
        }
        this.notWritten = counter("not_written");
        this.dropped = counter("dropped");
    }

    /**
     * Returns the counter of instances with an outcome: the name of a verdict, {@code dropped} or {@code not_written}.
     */
    private Counter counter(String outcome) {
        return Counter.builder("berth.nova.shadow")
                .description(
                        "Instances for which Berth's choice was compared with nova-scheduler's, by the verdict; also"
                                + " instances that were not compared (dropped: too many waited), and comparisons that"
                                + " could not be stored (not_written)")
                .tag("outcome", outcome)
                .register(meters);
    }

    /** Returns the counter of instances that were not compared because too many waited. */
    Counter dropped() {
        return dropped;
    }

    /** Starts to delete old comparisons. */
    void start(Recurring recurring) {
        recurring.every(
                PRUNE_INTERVAL,
                () -> pool.preparedQuery(PRUNE)
                        .execute(Tuple.of(DecisionId.lowest(Instant.now().minus(AGE_MAX)), KEPT_MAX)),
                "comparisons with nova's choices not pruned");
    }

    /**
     * Counts the comparisons by verdict, and stores them. Never fails: drops and counts those that cannot be written.
     */
    Uni<Void> add(List<Comparison> all) {
        if (all.isEmpty()) {
            return Uni.createFrom().voidItem();
        }
        all.forEach(each -> counter(each.verdict().wireName()).increment());
        Tuple params = Tuple.tuple()
                .addArrayOfUUID(all.stream().map(Comparison::decision).toArray(UUID[]::new))
                .addArrayOfUUID(all.stream().map(Comparison::instance).toArray(UUID[]::new))
                .addArrayOfString(texts(all, each -> each.verdict().wireName()))
                .addArrayOfString(texts(all, each -> each.reason() == null ? null : each.reason().wireName()))
                .addArrayOfString(texts(all, Comparison::by))
                .addArrayOfString(texts(all, Comparison::host))
                .addArrayOfString(texts(all, Comparison::novaHost))
                .addArrayOfDouble(numbers(all, Comparison::weight))
                .addArrayOfDouble(numbers(all, Comparison::novaWeight))
                .addArrayOfString(texts(all, Comparison::detail))
                .addArrayOfDouble(numbers(all, Comparison::decidedMs))
                .addArrayOfDouble(numbers(all, Comparison::seenMs));
        return pool.preparedQuery(ADD).execute(params).replaceWithVoid()
                .onFailure().invoke(failure -> {
                    notWritten.increment(all.size());
                    LOG.warnf("comparisons with nova's choices dropped count=%d cause=%s", all.size(), failure);
                })
                .onFailure().recoverWithNull();
    }

    private static String[] texts(List<Comparison> all, Function<Comparison, String> column) {
        return all.stream().map(column).toArray(String[]::new);
    }

    private static Double[] numbers(List<Comparison> all, Function<Comparison, Double> column) {
        return all.stream().map(column).toArray(Double[]::new);
    }

    /** The number of comparisons with one verdict, reason and cause ({@code by}). */
    record Count(String verdict, @Nullable String reason, @Nullable String by, long count) {}

    /**
     * Medians and 90th percentiles, in milliseconds; a value is null if no comparison has this time.
     *
     * @param decided median of the time from the arrival of a message to Berth's choice
     * @param decided90 90th percentile of this time
     * @param seen median of the time from the arrival of a message until nova's claim was seen
     * @param seen90 90th percentile of this time
     */
    record Times(@Nullable Double decided, @Nullable Double decided90, @Nullable Double seen,
            @Nullable Double seen90) {}

    /** A comparison with the verdict {@code different}; its members are those of {@link Comparison}. */
    record Different(
            UUID decision,
            UUID instance,
            String reason,
            @Nullable String by,
            @Nullable String host,
            String novaHost,
            @Nullable Double weight,
            @Nullable Double novaWeight,
            @Nullable String detail) {}

    /** Returns the counts of comparisons whose decision was at or after a time, the highest count first. */
    Uni<List<Count>> counts(Instant since) {
        return pool.preparedQuery(COUNTS).execute(Tuple.of(DecisionId.lowest(since)))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new Count(
                                row.getString("verdict"), row.getString("reason"), row.getString("made_by"),
                                row.getLong("count")))
                        .toList());
    }

    /** Returns the times of the comparisons whose decision was at or after a time and did not fail. */
    Uni<Times> times(Instant since) {
        return pool.preparedQuery(TIMES).execute(Tuple.of(DecisionId.lowest(since))).map(rows -> {
            Row row = rows.iterator().next();
            return new Times(
                    row.getDouble("decided"), row.getDouble("decided_90"), row.getDouble("seen"),
                    row.getDouble("seen_90"));
        });
    }

    /** Returns the latest differences whose decision was at or after a time, the latest first. */
    Uni<List<Different>> differences(Instant since, int limit) {
        return pool.preparedQuery(DIFFERENCES).execute(Tuple.of(DecisionId.lowest(since), limit))
                .map(rows -> StreamSupport.stream(rows.spliterator(), false)
                        .map(row -> new Different(
                                row.getUUID("decision"), row.getUUID("instance"), row.getString("reason"),
                                row.getString("made_by"), row.getString("host"), row.getString("nova_host"),
                                row.getDouble("weight"), row.getDouble("nova_weight"), row.getString("detail")))
                        .toList());
    }
}
