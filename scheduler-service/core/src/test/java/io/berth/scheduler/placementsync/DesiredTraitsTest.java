package io.berth.scheduler.placementsync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the traits that the placement sync writes for a host. */
class DesiredTraitsTest {
    private static final String DISABLED = "COMPUTE_STATUS_DISABLED";
    private static final String RESCUE = "COMPUTE_RESCUE_BFV";
    private static final String TRUSTED = "COMPUTE_TRUSTED_CERTS";

    @Test
    void setsTheDisabledTraitByTheServiceState() {
        assertThat(DesiredTraits.of(Set.of("CUSTOM_GOLD", RESCUE), true, null))
                .containsExactlyInAnyOrder("CUSTOM_GOLD", RESCUE, DISABLED);
        assertThat(DesiredTraits.of(Set.of("CUSTOM_GOLD", RESCUE, DISABLED), false, null))
                .containsExactlyInAnyOrder("CUSTOM_GOLD", RESCUE);
    }

    @Test
    void replacesCapabilitiesButKeepsCustomAndHardwareTraits() {
        assertThat(
                DesiredTraits.of(
                        Set.of("CUSTOM_GOLD", "HW_CPU_X86_AVX2", TRUSTED), null, Set.of(RESCUE, "CUSTOM_SSD")))
                .containsExactlyInAnyOrder("CUSTOM_GOLD", "CUSTOM_SSD", "HW_CPU_X86_AVX2", RESCUE);
    }

    @Test
    void reportDoesNotChangeTheDisabledTrait() {
        assertThat(DesiredTraits.of(Set.of(DISABLED, TRUSTED), null, Set.of())).containsExactly(DISABLED);
        assertThat(DesiredTraits.of(Set.of(), null, Set.of(DISABLED))).isEmpty();
        assertThat(DesiredTraits.of(Set.of(DISABLED), false, Set.of(DISABLED))).isEmpty();
    }
}
