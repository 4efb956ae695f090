package io.berth.scheduler.placement.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.placement.candidate.ProviderSummary.Usage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the capacity that remains of candidates while claims are taken from it. */
class RemainingCapacityTest {
    private static final AllocationCandidates OFFERED = new AllocationCandidates(List.of(
            root("a", Map.of("VCPU", new Usage(4, 1), "MEMORY_MB", new Usage(4_096, 0))),
            root("b", Map.of("VCPU", new Usage(4, 3))),
            root("shared", Map.of("DISK_GB", new Usage(100, 30)))));

    private static RootCandidates root(String uuid, Map<String, Usage> resources) {
        return new RootCandidates(
                new ProviderTree(uuid, List.of(new ProviderSummary(uuid, uuid, resources, false))), List.of());
    }

    private static Map<String, Map<String, Long>> amounts(String host, long vcpus, long diskGb) {
        return Map.of(host, Map.of("VCPU", vcpus), "shared", Map.of("DISK_GB", diskGb));
    }

    @Test
    void takesUntilNothingIsLeft() {
        RemainingCapacity room = new RemainingCapacity(OFFERED);
        assertThat(room.tryTake(Map.of("a", Map.of("VCPU", 2L)))).isTrue();
        assertThat(room.tryTake(Map.of("a", Map.of("VCPU", 2L)))).as("one is left").isFalse();
        assertThat(room.tryTake(Map.of("a", Map.of("VCPU", 1L, "MEMORY_MB", 4_096L)))).isTrue();
        assertThat(room.tryTake(Map.of("a", Map.of("MEMORY_MB", 1L)))).isFalse();
    }

    @Test
    void hostsShareTheCapacityOfASharingProvider() {
        RemainingCapacity room = new RemainingCapacity(OFFERED);
        assertThat(room.tryTake(amounts("a", 1, 40))).isTrue();
        assertThat(room.tryTake(amounts("b", 1, 40))).isFalse();
        assertThat(room.tryTake(amounts("b", 1, 30))).as("nothing was taken for the claim that does not fit").isTrue();
    }

    @Test
    void allowsEverythingIfNoCandidateIsKnown() {
        RemainingCapacity room = new RemainingCapacity(AllocationCandidates.NONE);
        for (int i = 0; i < 3; i++) {
            assertThat(room.tryTake(amounts("a", 1_000, 1_000))).isTrue();
        }
    }
}
