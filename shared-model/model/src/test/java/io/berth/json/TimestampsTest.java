package io.berth.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;

class TimestampsTest {
    @Test
    void millisecondsAreAlwaysThere() {
        assertThat(Timestamps.text(Instant.parse("2026-11-29T07:00:00Z"))).isEqualTo("2026-11-29T07:00:00.000Z");
        assertThat(Timestamps.text(Instant.parse("2026-11-29T07:00:00.123456Z"))).isEqualTo("2026-11-29T07:00:00.123Z");
    }
}
