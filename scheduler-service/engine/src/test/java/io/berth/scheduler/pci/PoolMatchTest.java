package io.berth.scheduler.pci;

import static io.berth.scheduler.pci.PciBuilders.aPool;
import static io.berth.scheduler.pci.PciBuilders.members;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests whether a pool of PCI devices matches the spec of a request. */
class PoolMatchTest {
    private static final PciPool POOL = aPool(3)
            .product("10FB")
            .node(1)
            .tags("physical_network", "PhysNet1", "caps", List.of("a", "b"), "empty", null)
            .build();

    static Stream<Arguments> specs() {
        return Stream.of(
                arguments(Map.of(), true),
                arguments(Map.of("vendor_id", "8086", "product_id", "10fb"), true),
                arguments(Map.of("vendor_id", "8087"), false),
                arguments(Map.of("physical_network", "PHYSNET1"), true),
                arguments(Map.of("numa_node", 1, "count", 3L), true),
                arguments(Map.of("numa_node", "1"), false),
                arguments(Map.of("trusted", "true"), false),
                arguments(members("trusted", null), true),
                arguments(members("empty", null), true),
                arguments(members("vendor_id", null), false),
                arguments(Map.of("caps", List.of("b")), true),
                arguments(Map.of("caps", List.of("b", "c")), false),
                arguments(Map.of("caps", "a"), false),
                arguments(Map.of("resource_class", "X", "traits", "Y", "rp_uuids", "Z"), true));
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @MethodSource("specs")
    void comparesEveryMember(Map<String, ?> requestSpec, boolean matches) {
        assertThat(PoolMatch.matchesAny(POOL, List.of(requestSpec))).isEqualTo(matches);
    }

    @Test
    void needsOneOfTheAlternatives() {
        assertThat(PoolMatch.matchesAny(POOL, List.of(Map.of("vendor_id", "1"), Map.of("vendor_id", "8086")))).isTrue();
        assertThat(PoolMatch.matchesAny(POOL, List.of())).isFalse();
    }
}
