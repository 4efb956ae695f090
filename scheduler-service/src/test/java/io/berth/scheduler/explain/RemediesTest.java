package io.berth.scheduler.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placementsync.RatioSources;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What might take an obstacle away, and who can do it. */
class RemediesTest {
    private static final String NODE = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final String OTHER = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

    private static final String MAX_UNIT =
            "{\"code\": \"max_unit\", \"by\": \"resources=VCPU:2\", \"provider\": \"%s\", \"wanted\": 2, \"had\": 1}"
                    .formatted(NODE);

    private final Registries registered = new Registries();

    private static JsonNode json(String text) {
        try {
            return new ObjectMapper().readTree(text);
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    /** Of a host with one VCPU at most for each instance, and some traits. */
    private static List<JsonNode> changes(RegistrySnapshot registry, String obstacle) {
        return changes(registry, obstacle, JsonNodeFactory.instance.objectNode());
    }

    private static List<JsonNode> changes(RegistrySnapshot registry, String obstacle, JsonNode request) {
        JsonNode provider = json("""
                {"uuid": "%s", "name": "root of h", "generation": 3,
                 "traits": ["COMPUTE_STATUS_DISABLED", "COMPUTE_TRUSTED_CERTS", "CUSTOM_SLOW"], "inventories": {"VCPU":
                  {"total": 8, "reserved": 0, "min_unit": 1, "max_unit": 1, "step_size": 1, "allocation_ratio": 1.0}}}"""
                .formatted(NODE));
        var host = new Evaluation.Host(new Target("h", "h", UUID.fromString(NODE)), List.of(provider), List.of());
        var ratios = new RatioSources(new InventoryOptions(Map.of(), Map.of(), Map.of()));
        List<JsonNode> changes = new ArrayList<>();
        new Remedies(registry, ratios, host, request, null)
                .of((ObjectNode) json(obstacle)).forEach(set -> set.forEach(change -> changes.add(change.json())));
        return changes;
    }

    private static String maxUnit(RegistrySnapshot registry) {
        return who(changes(registry, MAX_UNIT));
    }

    private static String withTrait(RegistrySnapshot registry, String trait) {
        return who(changes(registry, """
                {"code": "trait_missing", "by": "required=%s", "provider": "%s", "wanted": ["%s"]}"""
                .formatted(trait, NODE, trait)));
    }

    private static String withoutTrait(RegistrySnapshot registry, String trait) {
        return who(changes(registry, """
                {"code": "trait_forbidden", "by": "required=!%s", "provider": "%s", "had": ["%s"]}"""
                .formatted(trait, NODE, trait)));
    }

    /** Who does the only change: the service that is called, or who sets it elsewhere. */
    private static String who(List<JsonNode> changes) {
        assertThat(changes).hasSize(1);
        JsonNode change = changes.getFirst();
        assertThat(change.has("call")).as(change.toString()).isNotEqualTo(change.has("set_by"));
        return change.has("call") ? change.path("call").path("service").asText() : change.path("set_by").asText();
    }

    @Test
    void whatNobodyReportsIsChangedInPlacement() {
        registered.computeNode(NODE, "{\"host\": \"h\"}");
        RegistrySnapshot silent = registered.snapshot();
        assertThat(maxUnit(silent)).isEqualTo("placement");
        assertThat(withTrait(silent, "COMPUTE_NODE")).isEqualTo("placement");
        assertThat(withoutTrait(silent, "CUSTOM_SLOW")).isEqualTo("placement");
    }

    @Test
    void namesProvidersAndRegisteredAggregatesBesideTheirUuids() {
        registered.computeNode(NODE, "{\"host\": \"h\"}");
        registered.aggregate(OTHER, "{\"name\": \"fast\"}");
        JsonNode ratio = changes(registered.snapshot(), MAX_UNIT).getFirst();
        assertThat(ratio.path("provider_name").asText()).isEqualTo("root of h");
        JsonNode joined = changes(
                registered.snapshot(), "{\"code\": \"not_in_aggregate\", \"wanted\": [\"" + OTHER + "\"]}").getFirst();
        assertThat(joined.path("name").asText()).isEqualTo("fast");
    }

    /** The trait of a disabled service is in placement although the service is not disabled, or not registered. */
    @Test
    void removesTheTraitOfADisabledServiceIfTheServiceIsNotDisabled() {
        assertThat(changes(registered.snapshot(), """
                {"code": "trait_forbidden", "provider": "%s", "had": ["CUSTOM_SLOW", "COMPUTE_STATUS_DISABLED"]}"""
                .formatted(NODE)))
                .extracting(change -> change.path("trait").asText())
                .containsExactly("CUSTOM_SLOW", "COMPUTE_STATUS_DISABLED");
    }

    /** The placement sync would take it back at the node's next report. */
    @Test
    void whatTheNodeReportsIsForTheNodeToChange() {
        registered.computeNode(NODE, """
                {"host": "h", "inventories": {"VCPU": {"total": 8, "max_unit": 1}},
                 "traits": ["COMPUTE_TRUSTED_CERTS", "CUSTOM_SLOW"]}""");
        RegistrySnapshot reporting = registered.snapshot();
        assertThat(maxUnit(reporting)).isEqualTo("compute_node");
        assertThat(withTrait(reporting, "COMPUTE_NODE")).isEqualTo("compute_node");
        assertThat(withoutTrait(reporting, "COMPUTE_TRUSTED_CERTS")).isEqualTo("compute_node");
        assertThat(withoutTrait(reporting, "CUSTOM_SLOW")).isEqualTo("compute_node");
        assertThat(withTrait(reporting, "CUSTOM_FAST")).isEqualTo("placement");
    }

    /** The scheduler answers 409 to all that changes them. */
    @Test
    void servicesAndAggregatesOfNovasDatabasesAreNovasToChange() {
        registered.computeNode(NODE, "{\"host\": \"h\"}");
        registered.service(OTHER, "{\"host\": \"h\", \"disabled\": true, \"forced_down\": true}", 1);
        registered.aggregate(NODE, """
                {"name": "fast", "hosts": ["h"], "metadata": {"max_io_ops_per_host": "3", "filter_tenant_id": "other"}}""");
        registered.aggregate(OTHER, "{\"name\": \"zone\"}");
        List<String> obstacles = List.of(
                "{\"code\": \"service_disabled\"}", "{\"code\": \"service_forced_down\"}",
                "{\"code\": \"io_ops\", \"had\": 3}", "{\"code\": \"project\", \"wanted\": [\"p\"]}",
                "{\"code\": \"not_in_aggregate\", \"wanted\": [\"" + OTHER + "\"]}");
        for (String obstacle : obstacles) {
            assertThat(who(changes(registered.snapshot(), obstacle))).as(obstacle).isEqualTo("scheduler");
            assertThat(who(changes(registered.snapshotOfAllHosts(), obstacle))).as(obstacle).isEqualTo("nova");
        }
    }

    @Test
    void aRatioIsEnoughAndHardlyMore() {
        assertThat(Remedies.ratio(100, 115)).isEqualTo(1.1501);
        assertThat(Remedies.ratio(100, 150)).isEqualTo(1.5);
        for (long amount = 1; amount <= 300; amount++) {
            for (long needed = 1; needed <= 600; needed++) {
                double ratio = Remedies.ratio(amount, needed);
                assertThat(amount * ratio).as("%d of %d", needed, amount).isGreaterThanOrEqualTo(needed);
                assertThat(amount * (ratio - 0.0002)).as("%d of %d", needed, amount).isLessThan(needed);
            }
        }
    }

    /** Fewer CPUs or less memory may be all that a guest with a NUMA topology has to give up. */
    @ParameterizedTest
    @CsvSource({
        "numa_cpus,              8,       2, '', /flavor/vcpus,     2",
        "numa_cores,             8,       3, 2,  /flavor/vcpus,     6",
        "numa_cpu_limit,        12,       4, '', /flavor/vcpus,     4",
        "numa_memory,         4096,    1024, 2,  /flavor/memory_mb, 2048",
        "numa_ram_limit,      4096,    1000, '', /flavor/memory_mb, 1000",
        "numa_pages,       4194304, 1048576, '', /flavor/memory_mb, 1024",
        "numa_page_multiple, 4193280,   2048, '', /flavor/memory_mb, 4094"
    })
    void proposesTheAmountThatFitsTheCells(String code, long wanted, long had, String cells, String path, long amount) {
        String numaNodes = cells.isEmpty() ? "" : "\"hw:numa_nodes\": \"%s\"".formatted(cells);
        JsonNode request = json("""
                {"flavor": {"vcpus": 8, "memory_mb": 4095, "extra_specs": {%s}}}""".formatted(numaNodes));
        assertThat(changes(registered.snapshot(), """
                {"code": "%s", "by": "NUMATopologyFilter", "wanted": %d, "had": %d}""".formatted(code, wanted, had), request))
                .anySatisfy(change -> {
                    assertThat(change.path("path").asText()).isEqualTo(path);
                    assertThat(change.path("to").asLong()).isEqualTo(amount);
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"numa_cpus", "numa_memory", "numa_pages", "numa_cells", "numa_attempts"})
    void proposesNoAmountWhereNothingFits(String code) {
        JsonNode request = json("{\"flavor\": {\"vcpus\": 8, \"memory_mb\": 4096}}");
        assertThat(changes(registered.snapshot(), """
                {"code": "%s", "by": "NUMATopologyFilter", "wanted": 8, "had": 0}""".formatted(code), request)).isEmpty();
    }
}
