package io.berth.placement.candidate.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.candidate.search.CandidateOptions;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.candidate.search.FleetBuilder.Stock;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.http.ApiException;
import io.berth.placement.http.Json;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests the evaluation of scenarios on views that are built in memory. */
class WhatIfTest {
    private static JsonNode ask(FleetView view, String body, long bytesMax, BooleanSupplier timeIsUp) {
        var request = WhatIfBody.parse(body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
        return Json.parse(new WhatIf(view, request, CandidateOptions.DEFAULT, null, bytesMax, timeIsUp, Instant.EPOCH)
                .answer());
    }

    private static JsonNode ask(FleetView view, String asks) {
        return ask(view, "{'asks': [" + asks + "]}", 1_000_000, () -> false);
    }

    private static FleetBuilder hosts(int count) {
        FleetBuilder fleet = FleetBuilder.aFleet();
        for (int i = 0; i < count; i++) {
            fleet.root("host-" + i).inventory("VCPU", 8).inventory("MEMORY_MB", 4_096);
        }
        return fleet;
    }

    private static String fill(String query) {
        return "{'fill': {'query': '" + query + "'}}";
    }

    private static String members(JsonNode answer, String... names) {
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            text.append(answer.path(name)).append(' ');
        }
        return text.toString().strip();
    }

    /** Without counts, only the members that need a look at all trees are omitted, and the obstacle of the limit. */
    @Test
    void returnsObstaclesWithoutCounts() {
        FleetView view = hosts(2).root("small").inventory("VCPU", 2).view();
        String explanation = "{'explanation': {'query': 'resources=VCPU:4,MEMORY_MB:512&limit=1', 'counts': '%s',"
                + " 'relaxations': 1, 'providers': ['" + FleetBuilder.uuidOf("small") + "', '"
                + FleetBuilder.uuidOf("host-1") + "']}}";
        JsonNode answers =
                ask(view, Stream.of("demands", "trees", "nothing").map(explanation::formatted)
                        .collect(Collectors.joining(",")))
                        .path("answers");
        assertThat(answers.get(0).path("demands")).isNotEmpty();
        for (int i = 0; i < 2; i++) {
            assertThat(members(answers.get(i), "roots", "candidates", "answered")).isEqualTo("3 2 1");
            assertThat(answers.get(i).path("providers").findValuesAsText("code"))
                    .containsExactly("capacity", "no_inventory", "cut_by_limit");
            assertThat(answers.get(i).path("providers")).isEqualTo(answers.get(0).path("providers"));
        }
        assertThat(answers.get(2).path("providers").findValuesAsText("code"))
                .containsExactly("capacity", "no_inventory");
        assertThat(answers.get(2).path("providers").get(0)).isEqualTo(answers.get(0).path("providers").get(0));
        for (int i = 1; i < 3; i++) {
            assertThat(answers.get(i).has("demands") || answers.get(i).has("relaxations")).isFalse();
        }
        assertThat(answers.get(2).has("candidates")).isFalse();
    }

    /** A client that knows the present trees gets only those that the scenario changes. */
    @Test
    void returnsReferencesAndTheTreesThatAScenarioChanges() {
        FleetView view = hosts(3).view();
        String asks = "'asks': [{'candidates': {'query': 'resources=VCPU:1', 'references': true}}]";
        JsonNode present = ask(view, "{" + asks + "}", 1_000_000, () -> false);
        JsonNode scenario = ask(
                view, "{'changes': [{'use': {'provider': '" + FleetBuilder.uuidOf("host-1")
                        + "', 'resources': {'VCPU': 2}}}], "
                        + asks + "}",
                1_000_000, () -> false);
        assertThat(present.has("changed")).isFalse();
        assertThat(present.path("answers").get(0).path("changed")).isEmpty();
        JsonNode candidates = scenario.path("answers").get(0);
        assertThat(candidates.path("changed").findValuesAsText("uuid"))
                .containsExactly(FleetBuilder.uuidOf("host-1").toString());
        assertThat(candidates.path("changed").get(0).path("providers").get(0).path("resources").path("VCPU")
                .path("used").asInt())
                .isEqualTo(2);
        byte[] before = Base64.getDecoder().decode(present.path("answers").get(0).path("trees").asText());
        byte[] after = Base64.getDecoder().decode(candidates.path("trees").asText());
        assertThat(before).hasSize(3 * 16);
        // The version differs for the second tree only.
        assertThat(Arrays.mismatch(before, after)).isBetween(16 + 8, 32 - 1);
        assertThat(Arrays.mismatch(before, 32, 48, after, 32, 48)).isEqualTo(-1);
    }

    @Test
    void countsWithUnitsRatiosAndReservedAmounts() {
        FleetView view = FleetBuilder.aFleet()
                .root("plain").used("VCPU", 8, 1)
                .root("overcommitted").inventory("VCPU", new Stock(8, 0, 1, 100, 1, 2.25, 3))
                .root("reserved").inventory("VCPU", new Stock(8, 3, 1, 100, 1, 1.0, 0))
                .root("small portions").inventory("VCPU", new Stock(8, 0, 1, 2, 1, 1.0, 0))
                .root("large portions").inventory("VCPU", new Stock(8, 0, 4, 8, 1, 1.0, 0))
                .root("even portions").inventory("VCPU", new Stock(8, 0, 1, 8, 2, 1.0, 0))
                .root("too much used").used("VCPU", 8, 9)
                .view();
        JsonNode answer = ask(view, fill("resources=VCPU:3"));
        assertThat(members(answer.path("answers").get(0), "counts", "stops", "total", "binding"))
                .isEqualTo("[2,5,1,0,0,0,0] [0,0,0,0,0,0,0] 8 {\"VCPU\":7}");
    }

    @Test
    void namesTheFirstDemandThatStopsFilling() {
        FleetView view = hosts(2).root("host-2").used("VCPU", 8, 6).inventory("MEMORY_MB", 100_000)
                .root("storage").inventory("DISK_GB", 100).view();
        JsonNode answer =
                ask(view, fill("resources=VCPU:2,MEMORY_MB:2048") + "," + fill("resources=MEMORY_MB:2048,VCPU:4"));
        assertThat(answer.path("roots")).hasSize(3);
        assertThat(members(answer.path("answers").get(0), "demands", "counts", "stops", "binding"))
                .isEqualTo("[\"VCPU\",\"MEMORY_MB\",\"groups\"] [2,2,1] [1,1,0] {\"VCPU\":1,\"MEMORY_MB\":2}");
        assertThat(members(answer.path("answers").get(1), "demands", "counts", "stops"))
                .isEqualTo("[\"MEMORY_MB\",\"VCPU\",\"groups\"] [2,2,0] [0,0,1]");
    }

    @Test
    void returnsMinusOneForTreesThatLackATraitOrClass() {
        FleetView view = hosts(2).root("fast").inventory("VCPU", 4).traits("CUSTOM_FAST").view();
        JsonNode answer =
                ask(view, fill("resources=VCPU:4&required=CUSTOM_FAST") + "," + fill("resources=MEMORY_MB:4096"));
        assertThat(members(answer.path("answers").get(0), "counts", "stops", "total"))
                .isEqualTo("[-1,-1,1] [-1,-1,0] 1");
        assertThat(members(answer.path("answers").get(1), "counts", "stops", "total")).isEqualTo("[1,1,-1] [0,0,-1] 2");
    }

    @Test
    void namesSharingProvidersThatSeveralTreesUse() {
        FleetView view = FleetBuilder.aFleet()
                .root("cn1").inventory("VCPU", 8).in("rack")
                .root("cn2").inventory("VCPU", 2).in("rack")
                .root("cn3").inventory("VCPU", 2).in("other")
                .root("ss").inventory("DISK_GB", 50).sharing("rack")
                .root("own").inventory("DISK_GB", 50).sharing("other")
                .view();
        JsonNode fill = ask(view, fill("resources=VCPU:1,DISK_GB:10")).path("answers").get(0);
        assertThat(members(fill, "counts", "stops", "nested")).isEqualTo("[5,2,2] [1,0,0] [0,1,2]");
        assertThat(members(fill, "shared")).isEqualTo("[\"" + FleetBuilder.uuidOf("ss") + "\"]");
        assertThat(fill.path("reached")).extracting(JsonNode::asText)
                .containsExactlyInAnyOrder(FleetBuilder.uuidOf("ss").toString(), FleetBuilder.uuidOf("own").toString());
    }

    @Test
    void namesSharingProvidersThatOneTreeUsesAndAnotherNeeds() {
        // Once the second tree is full the pool is empty, so the first lacks disk as well as memory.
        FleetView view = FleetBuilder.aFleet()
                .root("own").inventory("DISK_GB", 40).inventory("MEMORY_MB", 3).in("rack")
                .root("none").inventory("MEMORY_MB", 50).in("rack")
                .root("far").inventory("MEMORY_MB", 2).in("other")
                .root("ss").inventory("DISK_GB", 20).sharing("rack")
                .root("lone").inventory("DISK_GB", 50).sharing("other")
                .view();
        JsonNode fill = ask(view, fill("resources=DISK_GB:10,MEMORY_MB:1")).path("answers").get(0);
        assertThat(members(fill, "counts", "stops", "shared"))
                .isEqualTo("[3,2,2] [1,0,1] [\"" + FleetBuilder.uuidOf("ss") + "\"]");
    }

    @Test
    void reportsGroupsAsTheStopIfTheyDoNotFitTogether() {
        FleetView view = FleetBuilder.aFleet()
                .root("cn").child("a").inventory("VCPU", 3).child("b").inventory("VCPU", 1).view();
        String isolated = "resources1=VCPU:1&resources2=VCPU:1&group_policy=isolate";
        assertThat(members(ask(view, fill(isolated)).path("answers").get(0), "counts", "stops", "single"))
                .isEqualTo("[1] [1] false");
        assertThat(
                members(
                        ask(view, fill("resources1=VCPU:3&resources2=VCPU:2&group_policy=none")).path("answers").get(0),
                        "counts", "stops", "demands"))
                .isEqualTo("[0] [0] [\"VCPU\",\"groups\"]");
    }

    @Test
    void reportsWhatWasNotEvaluatedInTime() {
        var looks = new AtomicInteger();
        JsonNode answer = ask(
                hosts(200).view(),
                "{'asks': [" + fill("resources=VCPU:8") + ",{'candidates': {'query': 'resources=VCPU:1'}}]}",
                1_000_000, () -> looks.incrementAndGet() > 3);
        assertThat(answer.path("complete").booleanValue()).isFalse();
        assertThat(members(answer, "gaps")).isEqualTo(
                "[\"asks[0].fill: time: only 128 of 200 trees were evaluated\",\"asks[1].candidates: time: not"
                        + " evaluated\"]");
        assertThat(answer.path("answers").get(0).path("total").asInt()).isEqualTo(128);
        assertThat(answer.path("answers").get(0).path("complete").booleanValue()).isFalse();
        assertThat(answer.path("answers").get(1).isNull()).isTrue();
    }

    @Test
    void refusesAResponseThatIsTooLarge() {
        String asks = "{'asks': [" + fill("resources=VCPU:1") + ", {'candidates': {'query': 'resources=VCPU:1'}}]}";
        int size = ask(hosts(100).view(), asks, 1_000_000, () -> false).toString().length();
        for (long bytesMax : new long[] {100, 5_000, size / 2}) {
            assertThatThrownBy(() -> ask(hosts(100).view(), asks, bytesMax, () -> false))
                    .isInstanceOf(ApiException.class).hasMessageContaining("The response exceeds");
        }
    }

    @Test
    void limitsTheNumberOfAddedProviders() {
        FleetView view = hosts(1).child("numa").view();
        String add = "[{'add': {'like': '" + FleetBuilder.uuidOf("host-0")
                + "', 'root': '11111111-2222-4333-8444-555555555555', 'name': 'n'}}]";
        var changes = WhatIfBody.parse(("{'asks': [" + fill("resources=VCPU:1") + "], 'changes': " + add + "}")
                .replace('\'', '"').getBytes(StandardCharsets.UTF_8)).changes();
        assertThat(ScenarioFleet.of(view, changes, 2, 0).providerCount()).isEqualTo(4);
        assertThatThrownBy(() -> ScenarioFleet.of(view, changes, 1, 0)).isInstanceOf(ApiException.class)
                .hasMessage("changes[0].add: more than 1 resource providers are added");
    }

    /** The number of hosts multiplies with the number of names. */
    @Test
    void limitsAmountsAndNamesCountedForEachProvider() {
        FleetView view = hosts(3).view();
        String trees = Stream.of(0, 1, 2).map(i -> "'" + FleetBuilder.uuidOf("host-" + i) + "'")
                .collect(Collectors.joining(","));
        String names = Stream.of(1, 2).map(i -> "'11111111-2222-4333-8444-55555555555" + i + "'")
                .collect(Collectors.joining(","));
        var changes =
                WhatIfBody.parse(("{'asks': [" + fill("resources=VCPU:1") + "], 'changes': [{'aggregates': {'trees': ["
                        + trees + "], 'add': [" + names + "]}}]}").replace('\'', '"').getBytes(StandardCharsets.UTF_8))
                        .changes();
        assertThat(ScenarioFleet.of(view, changes, 0, 6).providerCount()).isEqualTo(3);
        assertThatThrownBy(() -> ScenarioFleet.of(view, changes, 0, 5)).isInstanceOf(ApiException.class)
                .hasMessage("changes[0].aggregates.add[1]: more than 5 values are changed (a change of several"
                        + " providers counts once for each): change fewer at a time");
    }
}
