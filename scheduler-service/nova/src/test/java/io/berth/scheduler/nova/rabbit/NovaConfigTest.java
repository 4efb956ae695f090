package io.berth.scheduler.nova.rabbit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the validation of the nova settings. */
class NovaConfigTest {
    @Test
    void shadowRequiresATransportUrl() {
        assertThatThrownBy(
                () -> new NovaConfig(
                        Optional.empty(), Optional.empty(), Optional.empty(), "nova", false, false, false, false, false,
                        0, 1, true))
                .hasMessageContaining("berth.nova.transport-url");
    }
}
