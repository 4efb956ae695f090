package io.berth.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class OncePerSecondTest {
    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 10);
    private final OncePerSecond line = new OncePerSecond(now::get);

    @Test
    void tellsTheFirstAtOnceAndThoseOfASecondTogether() {
        assertThat(line.count()).isEqualTo(1);
        for (int i = 0; i < 41; i++) {
            assertThat(line.count()).isZero();
        }
        now.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(line.count()).isEqualTo(42);
        assertThat(line.count()).isZero();
    }
}
