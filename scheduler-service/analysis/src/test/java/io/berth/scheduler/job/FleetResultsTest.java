package io.berth.scheduler.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.FleetPosition;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the request to placement about a changed fleet, and the parsing of its response. */
class FleetResultsTest {
    private static final List<FleetQuery> ASKS = List.of(
            new FleetQuery.Fill("resources=VCPU:1", 10),
            new FleetQuery.Candidates("resources=VCPU:1"),
            new FleetQuery.Explanation("resources=VCPU:1", List.of(), true),
            new FleetQuery.Trees(List.of("r1")));

    private static FleetResults parse(String json) {
        return FleetResults.parse(json.getBytes(StandardCharsets.UTF_8), ASKS, false);
    }

    @Test
    void parsesTheAnswerToEveryAsk() {
        FleetResults answers = parse("""
                {"as_of": {"replica": "a", "fleet_version": 7, "time": "2026-01-01T00:00:00Z"}, "complete": false,
                 "gaps": ["asks[3].trees: time"], "roots": ["r1", "r2"], "more": {"x": [1]},
                 "answers": [
                   {"complete": true, "total": 3, "demands": ["VCPU"], "counts": [3, -1], "stops": [0, -1],
                    "binding": {"VCPU": 1}, "single": true, "nested": [1], "shared": ["s"], "reached": ["s", "t"]},
                   {"allocation_requests": [{"allocations": {"r1": {"resources": {"VCPU": 1}}}, "mappings": {"": ["r1"]}}],
                    "provider_summaries": {"r1": {"resources": {"VCPU": {"capacity": 3, "used": 0}}, "traits": [],
                      "parent_provider_uuid": null, "root_provider_uuid": "r1"}}},
                   {"roots": 2, "demands": []},
                   null]}""");
        assertThat(answers.fleetVersion()).isEqualTo(7);
        assertThat(answers.replica()).isEqualTo("a");
        assertThat(answers.gaps()).containsExactly("asks[3].trees: time");
        assertThat(answers.roots()).containsExactly("r1", "r2");
        FillCounts fill = answers.fill(0);
        assertThat(fill.counts()).containsExactly(3, -1);
        assertThat(fill.stops()).containsExactly(0, -1);
        assertThat(fill.demands()).containsExactly("VCPU");
        assertThat(fill.single()).isTrue();
        assertThat(fill.nested()).containsExactly(1);
        assertThat(fill.shared()).containsExactly("s");
        assertThat(fill.reached()).containsExactly("s", "t");
        assertThat(answers.candidates(1).treeCount()).isEqualTo(1);
        assertThat(answers.json(2).path("roots").asInt()).isEqualTo(2);
        assertThat(answers.json(3)).isNull();
    }

    @Test
    void requestsReferencesForManyCandidatesIfTreesAreKnown() throws IOException {
        List<FleetQuery> asks = List.of(
                new FleetQuery.Candidates("resources=VCPU:1&limit=1000"),
                new FleetQuery.Candidates("resources=VCPU:1&in_tree=r1"));
        assertThat(
                new ObjectMapper().readTree(FleetQuery.render(
                        "a.5", 20, JsonNodeFactory.instance.arrayNode(), List.of(), asks, List.of("a.6"), 5)))
                .isEqualTo(new ObjectMapper().readTree("""
                        {"timeout_s": 5, "keep_s": 20, "view": "a.5", "after": ["a.6"], "changes": [],
                         "asks": [{"candidates": {"query": "resources=VCPU:1&limit=1000", "references": true}},
                                  {"candidates": {"query": "resources=VCPU:1&in_tree=r1"}}]}"""));
        FleetResults answers = FleetResults.parse("""
                {"as_of": {"replica": "a", "fleet_version": 7}, "complete": true, "gaps": [],
                 "changed": [{"id": 1, "version": 5, "providers": [{"id": 1, "uuid": "r1", "parent": null,
                   "resources": {"VCPU": {"capacity": 8, "used": 1}}, "traits": []}]}],
                 "answers": [
                   {"replica": "a", "position": 7, "parts": [], "classes": [], "trees": "", "requests": [], "changed": []},
                   {"allocation_requests": [], "provider_summaries": {}}]}""".getBytes(StandardCharsets.UTF_8), asks, true);
        assertThat(answers.changed().fleetPosition()).isEqualTo(new FleetPosition("a", 7));
        assertThat(answers.changed().trees()).hasSize(1);
        assertThat(answers.resolve(references -> null)).isFalse();
        AllocationCandidates found = new AllocationCandidates(List.of());
        assertThat(answers.resolve(references -> found)).isTrue();
        assertThat(answers.candidates(0)).isSameAs(found);
        assertThat(answers.candidates(1).isEmpty()).isTrue();
    }

    @Test
    void refusesInvalidResponses() {
        for (String json : List.of(
                "", "[]", "{}", "{\"answers\": [null]}", "{\"answers\": [null, null, null, null, null]}",
                "{\"answers\": [{\"counts\": [1], \"stops\": []}, null, null, null]}")) {
            assertThatThrownBy(() -> parse(json)).as(json).isInstanceOf(ApiFault.class);
        }
    }

    @Test
    void rendersTheRequestBody() throws IOException {
        JsonNode change = JsonNodeFactory.instance.objectNode().set(
                "remove", JsonNodeFactory.instance.objectNode().put("root", "r2"));
        byte[] body = FleetQuery.render(
                null, 15, JsonNodeFactory.instance.arrayNode().add(change),
                List.of(new FleetUse("r1", Map.of("VCPU", 2L))), ASKS, List.of(), 5);
        assertThat(new ObjectMapper().readTree(body)).isEqualTo(new ObjectMapper().readTree("""
                {"timeout_s": 5, "keep_s": 15,
                 "changes": [{"remove": {"root": "r2"}}, {"use": {"provider": "r1", "resources": {"VCPU": 2}}}],
                 "asks": [{"fill": {"query": "resources=VCPU:1", "max": 10}}, {"candidates": {"query": "resources=VCPU:1"}},
                          {"explanation": {"query": "resources=VCPU:1", "counts": "trees", "providers": []}},
                          {"trees": {"roots": ["r1"]}}]}"""));
    }
}
