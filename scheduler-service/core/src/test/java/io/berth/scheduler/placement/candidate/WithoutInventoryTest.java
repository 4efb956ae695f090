package io.berth.scheduler.placement.candidate;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the exclusion of trees with an inventory, for a placement that lacks the parameter. */
class WithoutInventoryTest {
    private static AllocationCandidates answer() {
        var candidates = List.of("pinned", "plain").stream()
                .map(root -> new AllocationRequest(Map.of(root, Map.of("VCPU", 1L)), Map.of("", List.of(root))))
                .toList();
        return new AllocationCandidates(candidates, Map.of(
                "pinned", summary("pinned", "pinned", "VCPU"),
                "cell", summary("cell", "pinned", "PCPU"),
                "plain", summary("plain", "plain", "VCPU")));
    }

    private static ProviderSummary summary(String uuid, String root, String resourceClass) {
        return new ProviderSummary(uuid, root, Map.of(resourceClass, new ProviderSummary.Usage(4, 0)), false);
    }

    private static List<String> roots(AllocationCandidates answer) {
        return answer.roots().stream().map(each -> each.tree().rootUuid()).toList();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "resources=VCPU%3A1&without_inventory=PCPU, resources=VCPU%3A1",
        "without_inventory=PCPU%2CX&resources=VCPU%3A1, resources=VCPU%3A1",
        "limit=2&without_inventory=PCPU&x=y, limit=2&x=y",
        "limit=2&x=without_inventory, limit=2&x=without_inventory"})
    void removesTheParameterFromTheQuery(String query, String rest) {
        assertThat(WithoutInventory.of(query).query()).isEqualTo(rest);
    }

    @Test
    void dropsTreesInWhichAnyProviderHasTheClass() {
        assertThat(roots(WithoutInventory.of("q&without_inventory=PCPU").withoutExcludedTrees(answer())))
                .containsExactly("plain");
        assertThat(roots(WithoutInventory.of("q").withoutExcludedTrees(answer()))).containsExactly("pinned", "plain");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({
        "limit=2&without_inventory=PCPU, true",
        "limit=3&without_inventory=PCPU, false",
        "limit=2&without_inventory=CUSTOM_X, false",
        "limit=2, false",
        "without_inventory=PCPU, false"})
    void detectsWhetherTheLimitMayHaveCutCandidates(String query, boolean isCutShort) {
        WithoutInventory parsed = WithoutInventory.of(query);
        assertThat(parsed.isCutShort(answer())).isEqualTo(isCutShort);
        assertThat(parsed.withoutLimit().query()).doesNotContain("limit");
    }
}
