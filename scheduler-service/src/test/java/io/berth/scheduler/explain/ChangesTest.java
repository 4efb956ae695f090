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
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the changes that may remove an obstacle, and which service can make each of them. */
class ChangesTest {
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

    /** Changes for a host that allows one VCPU for each instance and has some traits. */
    private static List<JsonNode> changes(RegistrySnapshot registry, String obstacle) {
        return changes(registry, obstacle, JsonNodeFactory.instance.objectNode());
    }

    private static List<JsonNode> changes(RegistrySnapshot registry, String obstacle, JsonNode request) {
        ObjectNode json = ((ObjectNode) json(obstacle)).put("stage", "placement");
        return changes(registry, Obstacle.of(json), request);
    }

    private static List<JsonNode> changes(RegistrySnapshot registry, Remedy remedy, JsonNode request) {
        ObjectNode json = (ObjectNode) json("{\"stage\": \"filter\", \"by\": \"OwnFilter\", \"code\": \"capacity\"}");
        return changes(registry, new Obstacle(json, List.of(remedy)), request);
    }

    private static List<JsonNode> changes(RegistrySnapshot registry, Obstacle obstacle, JsonNode request) {
        JsonNode provider = json("""
                {"uuid": "%s", "name": "root of h", "generation": 3,
                 "traits": ["COMPUTE_STATUS_DISABLED", "COMPUTE_TRUSTED_CERTS", "CUSTOM_SLOW"], "inventories": {"VCPU":
                  {"total": 8, "reserved": 0, "min_unit": 1, "max_unit": 1, "step_size": 1, "allocation_ratio": 1.0}}}"""
                .formatted(NODE));
        var host = new Evaluation.Host(new Target("h", "h", UUID.fromString(NODE)), List.of(provider), List.of());
        var ratios = new RatioSources(new InventoryOptions(Map.of(), Map.of(), Map.of()));
        List<JsonNode> changes = new ArrayList<>();
        new Changes(registry, ratios, host, new RequestChanges(request), null)
                .alternativesAgainst(obstacle).forEach(set -> set.forEach(change -> changes.add(change.json())));
        return changes;
    }

    private static String maxUnit(RegistrySnapshot registry) {
        return performer(changes(registry, MAX_UNIT));
    }

    private static String withTrait(RegistrySnapshot registry, String trait) {
        return performer(changes(registry, """
                {"code": "trait_missing", "by": "required=%s", "provider": "%s", "wanted": ["%s"]}"""
                .formatted(trait, NODE, trait)));
    }

    private static String withoutTrait(RegistrySnapshot registry, String trait) {
        return performer(changes(registry, """
                {"code": "trait_forbidden", "by": "required=!%s", "provider": "%s", "had": ["%s"]}"""
                .formatted(trait, NODE, trait)));
    }

    /** The service that makes the only change: the one that is called, or the one that sets the value elsewhere. */
    private static String performer(List<JsonNode> changes) {
        assertThat(changes).hasSize(1);
        JsonNode change = changes.getFirst();
        assertThat(change.has("call")).as(change.toString()).isNotEqualTo(change.has("set_by"));
        return change.has("call") ? change.path("call").path("service").asText() : change.path("set_by").asText();
    }

    @Test
    void proposesToChangeUnreportedValuesInPlacement() {
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

    /** Otherwise the placement sync would undo the change at the node's next report. */
    @Test
    void proposesToChangeReportedValuesOnTheNode() {
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

    /** The scheduler refuses such changes with 409. */
    @Test
    void proposesToChangeRecordsOfNovasDatabasesInNova() {
        registered.computeNode(NODE, "{\"host\": \"h\"}");
        registered.service(OTHER, "{\"host\": \"h\", \"disabled\": true, \"forced_down\": true}", 1);
        registered.aggregate(NODE, """
                {"name": "fast", "hosts": ["h"], "metadata": {"max_io_ops_per_host": "3", "filter_tenant_id": "other"}}""");
        registered.aggregate(OTHER, "{\"name\": \"zone\"}");
        JsonNode request = JsonNodeFactory.instance.objectNode();
        List<Remedy> remedies = List.of(
                Remedy.OfService.ENABLE, Remedy.OfService.START, new Remedy.SetMetadata("max_io_ops_per_host", "4"),
                new Remedy.AddToMetadata("filter_tenant_id", List.of("p")));
        for (Remedy remedy : remedies) {
            assertThat(performer(changes(registered.snapshot(), remedy, request))).as("%s", remedy)
                    .isEqualTo("scheduler");
            assertThat(performer(changes(registered.snapshotOfAllHosts(), remedy, request))).as("%s", remedy)
                    .isEqualTo("nova");
        }
        String apart = "{\"code\": \"not_in_aggregate\", \"wanted\": [\"" + OTHER + "\"]}";
        assertThat(performer(changes(registered.snapshot(), apart))).isEqualTo("scheduler");
        assertThat(performer(changes(registered.snapshotOfAllHosts(), apart))).isEqualTo("nova");
    }

    /** The metadata of other aggregates, and aggregates without the key, stay as they are. */
    @Test
    void changesTheMetadataOfTheHostsAggregatesThatStateTheKey() {
        registered.aggregate(NODE, """
                {"name": "fast", "hosts": ["h"], "metadata": {"owner": "a", "x": "y"}}""");
        registered.aggregate(OTHER, """
                {"name": "other", "hosts": ["h2"], "metadata": {"owner": "b"}}""");
        JsonNode request = JsonNodeFactory.instance.objectNode();
        assertThat(changes(
                registered.snapshot(), new Remedy.AddToMetadata("owner", List.of("p", "q")), request))
                .extracting(change -> change.at("/call/body/metadata"))
                .containsExactly(json("{\"owner\": \"a,p,q\", \"x\": \"y\"}"));
        assertThat(changes(registered.snapshot(), new Remedy.AddToMetadata("owner", List.of()), request)).isEmpty();
        assertThat(changes(registered.snapshot(), new Remedy.SetMetadata("none", "1"), request)).isEmpty();
    }

    @Test
    void omitsOnlyTheMembersThatTheRequestHas() {
        JsonNode request = json("""
                {"flavor": {"extra_specs": {"a": "1", "b/c~d": "2"}}, "retry": null}""");
        Remedy omit = new Remedy.Omit(List.of(
                RequestMember.extraSpec("b/c~d"), RequestMember.extraSpec("x"), RequestMember.of("retry"),
                RequestMember.hint("group"), RequestMember.imageProperty("a")));
        assertThat(changes(registered.snapshot(), omit, request))
                .extracting(change -> change.path("without") + " " + change.at("/call/patch"))
                .containsExactly("[\"/flavor/extra_specs/b~1c~0d\"]"
                        + " [{\"op\":\"remove\",\"path\":\"/request_spec/flavor/extra_specs/b~1c~0d\"}]");
        assertThat(changes(
                registered.snapshot(), new Remedy.Omit(List.of(RequestMember.of("retry"))), request)).isEmpty();
        assertThat(changes(registered.snapshot(), new Remedy.Omit(List.of()), request)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "vcpus,     4,    4",
        "vcpus,     8,    ''",
        "vcpus,     four, ''",
        "name,      4,    '\"4\"'",
        "memory_mb, 4,    ''",
        "list,      4,    ''",
        "none,      4,    ''"
    })
    void replacesATextOrANumberByAnotherOne(String member, String value, String to) {
        JsonNode request = json("""
                {"flavor": {"vcpus": 8, "name": "small", "list": [8], "none": null}}""");
        List<JsonNode> changes =
                changes(registered.snapshot(), new Remedy.Replace(RequestMember.ofFlavor(member), value), request);
        assertThat(changes).hasSize(to.isEmpty() ? 0 : 1).allSatisfy(change -> {
            assertThat(change.path("path").asText()).isEqualTo("/flavor/" + member);
            assertThat(change.path("to").toString()).isEqualTo(to);
            assertThat(change.at("/call/patch/0/value").toString()).isEqualTo(to);
        });
    }

    /** A filter of an extension may propose thousands. */
    @Test
    void limitsTheRemediesOfOneObstacle() {
        Remedy remedy = new Remedy.Omit(List.of(RequestMember.of("retry")));
        Obstacle obstacle = new Obstacle(JsonNodeFactory.instance.objectNode(), Collections.nCopies(5_000, remedy));
        assertThat(changes(registered.snapshot(), obstacle, json("{\"retry\": {}}"))).hasSize(30);
    }

    @Test
    void theProposedRatioIsSufficientAndHardlyLarger() {
        assertThat(Changes.ratio(100, 115)).isEqualTo(1.1501);
        assertThat(Changes.ratio(100, 150)).isEqualTo(1.5);
        for (long amount = 1; amount <= 300; amount++) {
            for (long needed = 1; needed <= 600; needed++) {
                double ratio = Changes.ratio(amount, needed);
                assertThat(amount * ratio).as("%d of %d", needed, amount).isGreaterThanOrEqualTo(needed);
                assertThat(amount * (ratio - 0.0002)).as("%d of %d", needed, amount).isLessThan(needed);
            }
        }
    }
}
