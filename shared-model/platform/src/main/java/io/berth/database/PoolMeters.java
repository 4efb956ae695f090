package io.berth.database;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
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
import java.util.concurrent.atomic.LongAdder;

/**
 * How busy the pools of connections to PostgreSQL are. Of all that Vert.x would measure this alone is asked for: the rest
 * has addresses for labels, and costs every request.
 */
@Singleton
public class PoolMeters implements VertxOptionsCustomizer {
    private static final String SQL = "sql";

    private final Instance<MeterRegistry> meters;

    PoolMeters(Instance<MeterRegistry> meters) {
        this.meters = meters;
    }

    /** There is no other way while Quarkus builds Vert.x. */
    @Override
    @SuppressWarnings("deprecation")
    public void accept(VertxOptions options) {
        options.setMetricsOptions(new MetricsOptions().setEnabled(true).setFactory(ignored -> new Pools(meters)));
    }

    /** Quarkus wants the second interface of whatever measures. */
    private record Pools(Instance<MeterRegistry> meters) implements VertxMetrics, ExtendedQuarkusVertxHttpMetrics {
        @Override
        public @Nullable PoolMetrics<?> createPoolMetrics(String type, String name, int sizeMax) {
            return type.equals(SQL) ? new Use(meters.get(), name, sizeMax) : null;
        }

        @Override
        public ConnectionTracker getHttpConnectionTracker() {
            return NOOP_CONNECTION_TRACKER;
        }
    }

    /** Of one pool. Whoever wants a connection holds nothing meanwhile, so that there is no token of it. */
    private static final class Use implements PoolMetrics<Boolean> {
        private final LongAdder waiting = new LongAdder();
        private final LongAdder inUse = new LongAdder();
        private final Counter refused;

        Use(MeterRegistry meters, String pool, int sizeMax) {
            Gauge.builder("berth.database.pool.connections.limit", () -> sizeMax)
                    .description("Connections that this pool may have")
                    .tag("pool", pool)
                    .register(meters);
            Gauge.builder("berth.database.pool.connections.used", inUse, LongAdder::sum)
                    .description("Connections of this pool that somebody has")
                    .tag("pool", pool)
                    .register(meters);
            Gauge.builder("berth.database.pool.waiting", waiting, LongAdder::sum)
                    .description("Who waits for a connection of this pool")
                    .tag("pool", pool)
                    .register(meters);
            refused = Counter.builder("berth.database.pool.refused")
                    .description("Who got no connection of this pool: it could not be made, or the wait was too long")
                    .tag("pool", pool)
                    .register(meters);
        }

        @Override
        public Boolean submitted() {
            waiting.increment();
            return true;
        }

        @Override
        public void rejected(Boolean wanted) {
            waiting.decrement();
            refused.increment();
        }

        @Override
        public Boolean begin(Boolean wanted) {
            waiting.decrement();
            inUse.increment();
            return true;
        }

        @Override
        public void end(Boolean had, boolean succeeded) {
            inUse.decrement();
        }
    }
}
