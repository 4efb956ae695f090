package io.berth.deploy.load.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import org.junit.jupiter.api.Test;

/** Tests the parser of the header {@code Server-Timing}. */
class ServerTimingTest {
    @Test
    void parsesTheDurationsInOrder() {
        assertThat(ServerTiming.parse("candidates;dur=12.5, filter;desc=\"x\";dur=3, total"))
                .containsExactly(entry("candidates", 12.5), entry("filter", 3.0));
    }

    @Test
    void skipsInvalidDurations() {
        assertThat(ServerTiming.parse("a;dur=, b;dur=-1, c;dur=1e3, ,;;,d;dur=12345678901")).isEmpty();
    }
}
