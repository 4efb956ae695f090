package io.berth.deploy.load.life;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the random flavors of the request mix. */
class FlavorsTest {
    private static List<Flavor> flavors(long seed) {
        return Flavors.draw(100, seed, n -> "CUSTOM_" + n);
    }

    @Test
    void drawsTheSameFromTheSameSeed() {
        assertThat(flavors(7)).isEqualTo(flavors(7)).isNotEqualTo(flavors(8));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void everyFlavorHasDifferentAmounts(long seed) {
        assertThat(flavors(seed)).extracting(Flavor::amounts).doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void aTenthRequiresATraitAndATwentiethTwoNumaNodes(long seed) {
        List<Flavor> flavors = flavors(seed);
        assertThat(with(flavors, "trait:")).hasSize(10).extracting(Flavor::cloud).contains(Cloud.AZURE, Cloud.HUAWEI);
        assertThat(with(flavors, "trait:").stream().flatMap(each -> each.extraSpecs().keySet().stream()))
                .doesNotHaveDuplicates();
        assertThat(with(flavors, "hw:numa_nodes")).hasSize(5)
                .allMatch(each -> each.size().vcpus() % 2 == 0 && each.size().memoryMb() % 2 == 0)
                .extracting(Flavor::cloud).contains(Cloud.AZURE, Cloud.HUAWEI);
    }

    private static List<Flavor> with(List<Flavor> flavors, String spec) {
        return flavors.stream()
                .filter(each -> each.extraSpecs().keySet().stream().anyMatch(key -> key.startsWith(spec)))
                .toList();
    }

    @Test
    void sizesHaveThePublishedShares() {
        long small = Stream.iterate(1L, seed -> seed <= 200, seed -> seed + 1)
                .flatMap(seed -> flavors(seed).stream())
                .filter(each -> !each.extraSpecs().containsKey("hw:numa_nodes"))
                .filter(each -> each.size().equals(new VmSize(1, 1792)))
                .count();
        // About half of the 200 times 95 flavors have Azure's sizes, of which 47.6 in 100 are of that size.
        assertThat(small / (200 * 95.0)).isBetween(0.22, 0.26);
    }
}
