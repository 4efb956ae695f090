package io.berth.scheduler.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.ProviderSummary.Usage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ShortageTest {
    private static AllocationCandidates offers(Map<String, Usage> first, Map<String, Usage> second) {
        return new AllocationCandidates(
                List.of(),
                Map.of("a", new ProviderSummary("a", "a", first, false), "b", new ProviderSummary("b", "b", second, false)));
    }

    @Test
    void isThatOfTheProviderWithMostLeft() {
        var offers = offers(Map.of("VCPU", new Usage(8, 7)), Map.of("VCPU", new Usage(6, 2), "MEMORY_MB", new Usage(9, 0)));
        Shortage shortage = Shortage.of("resources=VCPU:5", offers);
        assertThat(shortage).isEqualTo(new Shortage("b", "VCPU", 5, 4));
        assertThat(shortage.render()).isEqualTo("needs 5 VCPU, the best provider has 4 free");
        assertThat(Shortage.of("resources_net1=MEMORY_MB:10", offers)).isEqualTo(new Shortage("b", "MEMORY_MB", 10, 9));
    }

    @Test
    void isNoneWhereTheAmountIsNotToBlame() {
        var offers = offers(Map.of("VCPU", new Usage(8, 0)), Map.of());
        assertThat(Shortage.of("resources=VCPU:8", offers)).as("somebody has enough").isNull();
        assertThat(Shortage.of("resources=DISK_GB:8", offers)).as("nobody has the class").isNull();
        assertThat(Shortage.of("required=CUSTOM_X", offers)).isNull();
    }
}
