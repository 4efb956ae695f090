package io.berth.scheduler.nova.shadow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the weights and ranks that hosts had before given claims. */
class WithoutClaimsTest {
    private final ArrayNode ranked = JsonNodeFactory.instance.arrayNode();

    private ArrayNode host(String name, double weight) {
        return ranked.addObject().put("host", name).put("weight", weight).putArray("weights");
    }

    private static ArrayNode weigher(ArrayNode host, String name, double raw, double normalized, double multiplier) {
        host.addObject().put("weigher", name).put("raw", raw).put("normalized", normalized)
                .put("multiplier", multiplier);
        return host;
    }

    private void cpus(String host, double free, double normalized) {
        weigher(host(host, normalized), "CPUWeigher", free, normalized, 1);
    }

    @Test
    void changesNothingWithoutClaims() {
        cpus("b", 8, 1);
        cpus("n", 6, 0.5);
        WithoutClaims same = new WithoutClaims(ranked, Map.of());
        assertThat(same.weight("n")).isEqualTo(0.5, within(1e-9));
        assertThat(same.rank("n")).isEqualTo(2);
        assertThat(same.weight("z")).isNaN();
    }

    /** The hosts have 4 to 8 free CPUs; before its claims one of them had 10. */
    @Test
    void weighsAgainWithTheAmountsFreeBefore() {
        cpus("b", 8, 1);
        cpus("n", 6, 0.5);
        WithoutClaims before = new WithoutClaims(ranked, Map.of("n", Map.of("VCPU", 3L, "PCPU", 1L, "DISK_GB", 9L)));
        assertThat(before.weight("n")).isEqualTo(1, within(1e-9));
        assertThat(before.weight("b")).isEqualTo(4.0 / 6, within(1e-9));
        assertThat(before.rank("n")).isOne();
        assertThat(before.rank("b")).isEqualTo(2);
    }

    @Test
    void equalHostsStayEqualIfBothHaveTheSameClaim() {
        cpus("b", 8, 0);
        cpus("n", 8, 0);
        Map<String, Long> amounts = Map.of("VCPU", 1L);
        assertThat(new WithoutClaims(ranked, Map.of("n", amounts)).rank("b")).isEqualTo(2);
        assertThat(new WithoutClaims(ranked, Map.of("n", amounts, "b", amounts)).rank("b")).isOne();
    }

    @Test
    void keepsNumbersOfWeighersThatIgnoreFreeResources() {
        weigher(weigher(host("b", 1.0), "RAMWeigher", 2048, 1, 1), "IoOpsWeigher", 0, 0, -1);
        weigher(weigher(host("n", -1.0), "RAMWeigher", 1024, 0, 1), "IoOpsWeigher", 2, 1, -1);
        WithoutClaims before = new WithoutClaims(ranked, Map.of("n", Map.of("MEMORY_MB", 2048L)));
        assertThat(before.weight("n")).isEqualTo(0, within(1e-9));
        assertThat(before.weight("b")).isEqualTo(0.5, within(1e-9));
    }
}
