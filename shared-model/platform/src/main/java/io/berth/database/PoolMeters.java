package io.berth.database;

import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.vertx.VertxOptionsCustomizer;
import io.quarkus.vertx.http.runtime.ExtendedQuarkusVertxHttpMetrics;
import io.vertx.core.VertxOptions;
import io.vertx.core.metrics.MetricsOptions;
import io.vertx.core.spi.metrics.PoolMetrics;
import io.vertx.core.spi.metrics.VertxMetrics;
import jakarta.annotation.Nullable;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;

/**
 * Measures the use of the pools of connections to PostgreSQL. Other metrics of Vert.x stay disabled, because their
 * labels contain addresses and their collection costs time in each request.
 */
@Singleton
public class PoolMeters implements VertxOptionsCustomizer {
    private static final String SQL = "sql";

    private final Instance<MeterRegistry> meters;
    private final Map<String, PoolUse> useByName = new ConcurrentHashMap<>();

    PoolMeters(Instance<MeterRegistry> meters) {
        this.meters = meters;
    }

    /**
     * Enables metrics for pools only. Uses a deprecated API, because Quarkus has no other one for the creation of
     * Vert.x.
     */
    @Override
    @SuppressWarnings("deprecation")
    public void accept(VertxOptions options) {
        options.setMetricsOptions(new MetricsOptions().setEnabled(true)
                .setFactory(ignored -> new Pools(this::metricsOf)));
    }

    /**
     * Returns the metrics of a pool. Pools of the same name share their meters, because a gauge can be registered only
     * once.
     */
    private PoolMetrics<?> metricsOf(String name, int sizeMax) {
        return useByName.computeIfAbsent(name, each -> new PoolUse(meters.get(), each)).addPool(sizeMax);
    }

    /**
     * Creates the metrics of pools of SQL connections; none for other pools. Implements {@link
     * ExtendedQuarkusVertxHttpMetrics} only because Quarkus requires it.
     */
    private record Pools(BiFunction<String, Integer, PoolMetrics<?>> use) implements VertxMetrics,
            ExtendedQuarkusVertxHttpMetrics {
        @Override
        public @Nullable PoolMetrics<?> createPoolMetrics(String type, String name, int sizeMax) {
            return type.equals(SQL) ? use.apply(name, sizeMax) : null;
        }

        @Override
        public ConnectionTracker getHttpConnectionTracker() {
            return NOOP_CONNECTION_TRACKER;
        }
    }
}
