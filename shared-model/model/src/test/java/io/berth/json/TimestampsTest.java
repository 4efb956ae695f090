package io.berth.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests the text form of timestamps. */
class TimestampsTest {
    @Test
    void alwaysWritesMilliseconds() {
        assertThat(Timestamps.text(Instant.parse("2026-11-29T07:00:00Z"))).isEqualTo("2026-11-29T07:00:00.000Z");
        assertThat(Timestamps.text(Instant.parse("2026-11-29T07:00:00.123456Z"))).isEqualTo("2026-11-29T07:00:00.123Z");
    }
}
