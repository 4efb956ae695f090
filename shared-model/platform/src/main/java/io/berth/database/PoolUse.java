package io.berth.database;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vertx.core.spi.metrics.PoolMetrics;
import java.util.concurrent.atomic.LongAdder;

/** The meters of all pools of one name; their values are summed. */
final class PoolUse {
    private final LongAdder limit = new LongAdder();
    private final LongAdder waiting = new LongAdder();
    private final LongAdder inUse = new LongAdder();
    private final Counter refusedCounter;

    PoolUse(MeterRegistry meters, String name) {
        Gauge.builder("berth.database.pool.connections.limit", limit, LongAdder::sum)
                .description("Connections that this pool may have")
                .tag("pool", name)
                .register(meters);
        Gauge.builder("berth.database.pool.connections.used", inUse, LongAdder::sum)
                .description("Connections of this pool in use")
                .tag("pool", name)
                .register(meters);
        Gauge.builder("berth.database.pool.waiting", waiting, LongAdder::sum)
                .description("Callers that wait for a connection of this pool")
                .tag("pool", name)
                .register(meters);
        refusedCounter = Counter.builder("berth.database.pool.refused")
                .description(
                        "Callers that got no connection of this pool: it could not be opened, or the wait was too long")
                .tag("pool", name)
                .register(meters);
    }

    /** Adds a pool of this name. Closing the returned metrics removes the pool's connections from the limit. */
    PoolMetrics<Boolean> addPool(int sizeMax) {
        limit.add(sizeMax);
        return new OnePool(sizeMax);
    }

    /**
     * The metrics of one pool. Vert.x passes the value that a method returns for a caller to the caller's next method;
     * these meters need no value, so it is always true.
     */
    private final class OnePool implements PoolMetrics<Boolean> {
        private final int sizeMax;

        OnePool(int sizeMax) {
            this.sizeMax = sizeMax;
        }

        @Override
        public Boolean submitted() {
            waiting.increment();
            return true;
        }

        @Override
        public void rejected(Boolean token) {
            waiting.decrement();
            refusedCounter.increment();
        }

        @Override
        public Boolean begin(Boolean token) {
            waiting.decrement();
            inUse.increment();
            return true;
        }

        @Override
        public void end(Boolean token, boolean succeeded) {
            inUse.decrement();
        }

        @Override
        public void close() {
            limit.add(-sizeMax);
        }
    }
}
