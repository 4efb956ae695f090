package io.berth.deploy.load.fleet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the fleets that the load generator creates. */
class FleetTest {
    @Test
    void parsesShapeAndSize() {
        assertThat(Fleet.parse("nested:5000")).isEqualTo(new Fleet(Shape.NESTED, 5000));
        assertThat(Fleet.parse("nested:5000")).hasToString("nested:5000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"flat", "flat:", "flat:0", "flat:200001", "flat:-1", "Flat:1", "round:1", "flat:1:2", ""})
    void refusesInvalidFleets(String text) {
        assertThatThrownBy(() -> Fleet.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest(name = "{0}: {1} providers a host")
    @CsvSource({"FLAT, 1", "NESTED, 4", "WIDE, 9"})
    void createsTheTreeOfItsShapeWithTheRootFirst(Shape shape, int providers) {
        List<ProviderSpec> host = new Fleet(shape, 10).hostProviders(3);
        assertThat(host).hasSize(providers);
        assertThat(host.getFirst().parent()).isNull();
        assertThat(host.subList(1, providers)).allMatch(child -> child.parent().equals(host.getFirst().uuid()));
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void providersHaveUniqueAndReproducibleUuids(Shape shape) {
        Set<UUID> uuids = new HashSet<>();
        Fleet fleet = new Fleet(shape, 200);
        for (int i = 0; i < 200; i++) {
            fleet.hostProviders(i).forEach(provider -> assertThat(uuids.add(provider.uuid())).isTrue());
        }
        assertThat(fleet.hostProviders(7)).isEqualTo(new Fleet(shape, 9).hostProviders(7));
    }

    @ParameterizedTest
    @EnumSource(Shape.class)
    void initialAllocationsStayWithinCapacity(Shape shape) {
        Fleet fleet = new Fleet(shape, 2);
        for (int i = 0; i < 2; i++) {
            Map<UUID, Map<String, Integer>> use = fleet.initialAllocations(i);
            assertThat(use).isNotEmpty();
            use.forEach((uuid, amounts) -> amounts.forEach((resourceClass, amount) -> {
                ProviderSpec provider = fleet.hostProviders(0).stream().filter(each -> each.uuid().equals(uuid)).findFirst()
                        .orElseGet(() -> fleet.hostProviders(1).stream()
                                .filter(each -> each.uuid().equals(uuid)).findFirst().orElseThrow());
                assertThat((long) amount).isLessThan(provider.inventories().get(resourceClass).capacity());
            }));
        }
    }

    @ParameterizedTest(name = "of {0} hosts, {1} are of kind 3 and {2} in aggregate 1")
    @CsvSource({"3, 0, 0", "4, 1, 0", "50, 5, 10", "1000, 100, 40"})
    void countsHostsByKindAndAggregate(int size, int ofKind, int inAggregate) {
        Fleet fleet = new Fleet(Shape.FLAT, size);
        assertThat(fleet.hostsOfKind(3)).isEqualTo(ofKind).isEqualTo((int) IntStream.range(0, size)
                .filter(i -> fleet.hostProviders(i).getFirst().traits().contains(Fleet.kindTrait(3))).count());
        assertThat(fleet.hostsInAggregate(1)).isEqualTo(inAggregate).isEqualTo((int) IntStream.range(0, size)
                .filter(i -> fleet.hostProviders(i).getFirst().aggregates().contains(fleet.aggregate(1))).count());
    }

    @Test
    void tracksExpectedUsageOfChangedProviders() {
        var expectedUsage = new ExpectedUsage();
        UUID host = UUID.randomUUID();
        expectedUsage.addClaimed(host, Map.of("VCPU", 4));
        expectedUsage.addClaimed(host, Map.of("VCPU", 2, "DISK_GB", 1));
        expectedUsage.subtractReleased(host, Map.of("VCPU", 4));
        assertThat(expectedUsage.used(host, "VCPU")).isEqualTo(2);
        assertThat(expectedUsage.used(host, "MEMORY_MB")).isZero();
        assertThat(expectedUsage.takeChangedProviders()).containsExactly(host);
        assertThat(expectedUsage.takeChangedProviders()).isEmpty();
    }
}
