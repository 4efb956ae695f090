package io.berth.database;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vertx.core.spi.metrics.PoolMetrics;
import org.junit.jupiter.api.Test;

/** Tests the metrics of connection pools. */
class PoolUseTest {
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final PoolUse cells = new PoolUse(meters, "cells");

    private double gauge(String name) {
        return meters.get("berth.database.pool." + name).tag("pool", "cells").gauge().value();
    }

    @Test
    void measuresPoolsOfOneNameTogether() {
        PoolMetrics<Boolean> first = cells.addPool(4);
        PoolMetrics<Boolean> second = cells.addPool(3);
        first.begin(first.submitted());
        second.begin(second.submitted());
        second.submitted();
        assertThat(gauge("connections.limit")).isEqualTo(7);
        assertThat(gauge("connections.used")).isEqualTo(2);
        assertThat(gauge("waiting")).isEqualTo(1);
    }

    @Test
    void replacesAClosedPoolByTheNextOne() {
        PoolMetrics<Boolean> closed = cells.addPool(4);
        closed.end(closed.begin(closed.submitted()), true);
        closed.close();
        PoolMetrics<Boolean> opened = cells.addPool(3);
        opened.begin(opened.submitted());
        assertThat(gauge("connections.limit")).isEqualTo(3);
        assertThat(gauge("connections.used")).isEqualTo(1);
    }
}
