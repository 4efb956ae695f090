package io.berth.scheduler.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests that later calls of a set account for the effects of earlier ones, whatever their path. */
class CallsInOrderTest {
    private static final String NODE = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final String AGGREGATE = "bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
    private static final String SERVICE = "/v1/services/cccccccc-cccc-4ccc-8ccc-cccccccccccc";
    private static final String INVENTORY = "/resource_providers/" + NODE + "/inventories/VCPU";

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static Change change(String kind, String more, String service, String path, String body) {
        ObjectNode json =
                json("{'change': '%s'%s, 'call': {'service': '%s', 'method': 'PUT', 'path': '%s', 'body': %s}}"
                        .formatted(kind, more, service, path, body));
        return new Change(path + kind, false, json, (cloud, asked) -> {});
    }

    private static List<Change> made(Change... changes) {
        JsonNode provider =
                json(("{'uuid': '%s', 'parent': null, 'generation': 7, 'traits': ['COMPUTE_STATUS_DISABLED'],"
                        + " 'aggregates': []}").formatted(NODE));
        var host = new Evaluation.Host(new Target("h", "h", UUID.fromString(NODE)), List.of(provider), List.of());
        return new CallsInOrder(host).mergeAndAdapt(List.of(changes));
    }

    private static List<JsonNode> bodies(Change... changes) {
        return made(changes).stream().map(change -> change.json().path("call").path("body")).toList();
    }

    private static Change trait(String trait) {
        return change("add_trait", ", 'trait': '" + trait + "'", "placement", "/resource_providers/" + NODE + "/traits",
                "{'resource_provider_generation': 7, 'traits': ['COMPUTE_STATUS_DISABLED', '" + trait + "']}");
    }

    private static Change enable(boolean disabled) {
        return change("enable_service", "", "scheduler", SERVICE,
                "{'host': 'h', 'disabled': " + disabled + ", 'forced_down': false}");
    }

    @Test
    void omitsTheDisabledTraitAfterEnablingTheService() {
        JsonNode traits = bodies(enable(false), trait("CUSTOM_GOLD")).get(1);

        assertThat(traits).isEqualTo(json("{'resource_provider_generation': 8, 'traits': ['CUSTOM_GOLD']}"));
    }

    @Test
    void keepsTheDisabledTraitBeforeEnablingTheService() {
        JsonNode traits = bodies(trait("CUSTOM_GOLD"), enable(false)).get(0);

        assertThat(traits.path("traits")).hasSize(2);
        assertThat(traits.path("resource_provider_generation").asInt()).isEqualTo(7);
    }

    @Test
    void keepsAggregatesThatTheRegistrySyncsToPlacement() {
        JsonNode aggregates = bodies(
                change("join_aggregate", ", 'aggregate': '" + AGGREGATE + "'", "scheduler",
                        "/v1/host_aggregates/" + AGGREGATE,
                        "{'name': 'a', 'metadata': {}, 'hosts': ['h']}"),
                change("join_aggregate", ", 'aggregate': '" + NODE + "'", "placement",
                        "/resource_providers/" + NODE + "/aggregates",
                        "{'resource_provider_generation': 7, 'aggregates': ['" + NODE + "']}")).get(1);

        assertThat(aggregates).isEqualTo(
                json("{'resource_provider_generation': 8, 'aggregates': ['%s', '%s']}".formatted(NODE, AGGREGATE)));
    }

    @Test
    void namesTheGenerationThatEarlierCallsLeave() {
        List<JsonNode> bodies = bodies(
                change("max_unit", "", "placement", INVENTORY,
                        "{'resource_provider_generation': 7, 'total': 4, 'max_unit': 4}"),
                trait("CUSTOM_GOLD"));

        assertThat(bodies.get(1).path("resource_provider_generation").asInt()).isEqualTo(8);
    }

    /** Otherwise the last call alone would make all the changes. */
    @Test
    void mergesChangesThatOneCallWrites() {
        List<Change> made = made(
                change("max_unit", ", 'to': 4", "placement", INVENTORY,
                        "{'resource_provider_generation': 7, 'total': 4, 'max_unit': 4, 'step_size': 3}"),
                change("step_size", ", 'to': 1", "placement", INVENTORY,
                        "{'resource_provider_generation': 7, 'total': 4, 'max_unit': 1, 'step_size': 1}"),
                trait("CUSTOM_GOLD"), trait("CUSTOM_FAST"));

        assertThat(made).hasSize(2);
        assertThat(made.get(0).json().path("also"))
                .isEqualTo(json("{'also': [{'change': 'step_size', 'to': 1}]}").path("also"));
        assertThat(made.get(0).json().path("call").path("body"))
                .isEqualTo(json("{'resource_provider_generation': 7, 'total': 4, 'max_unit': 4, 'step_size': 1}"));
        assertThat(made.get(1).json().path("call").path("body").path("traits"))
                .extracting(JsonNode::asText).contains("CUSTOM_GOLD", "CUSTOM_FAST");
    }
}
