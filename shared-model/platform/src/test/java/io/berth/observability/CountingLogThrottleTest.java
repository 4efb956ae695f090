package io.berth.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the throttle of a repeated log line. */
class CountingLogThrottleTest {
    /** The clock may overflow between the two times. */
    private static final long NOW = Long.MAX_VALUE - 10;
    private static final long LATER = NOW + TimeUnit.SECONDS.toNanos(1);

    private final CountingLogThrottle line = new CountingLogThrottle();

    @Test
    void reportsTheFirstEventAtOnceAndLaterOnesOncePerSecond() {
        assertThat(line.count(NOW)).isEqualTo(1);
        for (int i = 0; i < 41; i++) {
            assertThat(line.count(NOW)).isZero();
        }
        assertThat(line.count(LATER)).isEqualTo(42);
        assertThat(line.count(LATER)).isZero();
    }
}
