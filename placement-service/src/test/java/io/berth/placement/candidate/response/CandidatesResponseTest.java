package io.berth.placement.candidate.response;

import static io.berth.placement.candidate.search.FleetBuilder.aFleet;
import static io.berth.placement.candidate.search.FleetBuilder.uuidOf;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.placement.candidate.search.FleetBuilder;
import io.berth.placement.fleet.FleetView;
import io.berth.placement.fleet.NameCatalogue;
import io.berth.placement.http.Json;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the complete response of every microversion. */
class CandidatesResponseTest {
    private static final String CN = uuidOf("cn").toString();
    private static final String PF = uuidOf("pf").toString();

    private static FleetBuilder fleet() {
        return aFleet().root("cn").used("VCPU", 8, 3).inventory("MEMORY_MB", 100).traits("CUSTOM_A", "CUSTOM_B")
                .child("pf").inventory("CUSTOM_VF", 4);
    }

    private static JsonNode ask(String version) {
        return Found.ask(fleet().view(), "resources=VCPU:2", version).json();
    }

    private static JsonNode json(String text) {
        return Json.parse(text.replace('\'', '"').replace("CN", CN).replace("PF", PF).getBytes(StandardCharsets.UTF_8));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "1.10; [{'allocations': [{'resource_provider': {'uuid': 'CN'}, 'resources': {'VCPU': 2}}]}]",
        "1.11; [{'allocations': [{'resource_provider': {'uuid': 'CN'}, 'resources': {'VCPU': 2}}]}]",
        "1.12; [{'allocations': {'CN': {'resources': {'VCPU': 2}}}}]",
        "1.33; [{'allocations': {'CN': {'resources': {'VCPU': 2}}}}]",
        "1.34; [{'allocations': {'CN': {'resources': {'VCPU': 2}}}, 'mappings': {'': ['CN']}}]"})
    void writesAllocationRequests(String version, String expected) {
        assertThat(ask(version).get("allocation_requests")).isEqualTo(json(expected));
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', value = {
        "1.10; {'CN': {'resources': {'VCPU': {'capacity': 8, 'used': 3}}}}",
        "1.16; {'CN': {'resources': {'VCPU': {'capacity': 8, 'used': 3}}}}",
        "1.17; {'CN': {'resources': {'VCPU': {'capacity': 8, 'used': 3}}, 'traits': ['CUSTOM_A', 'CUSTOM_B']}}",
        "1.26; {'CN': {'resources': {'VCPU': {'capacity': 8, 'used': 3}}, 'traits': ['CUSTOM_A', 'CUSTOM_B']}}",
        "1.27; {'CN': {'resources': {'VCPU': {'capacity': 8, 'used': 3}, 'MEMORY_MB': {'capacity': 100, 'used': 0}}, "
                + "'traits': ['CUSTOM_A', 'CUSTOM_B']}}",
        "1.29; {'CN': {'resources': {'VCPU': {'capacity': 8, 'used': 3}, 'MEMORY_MB': {'capacity': 100, 'used': 0}}, "
                + "'traits': ['CUSTOM_A', 'CUSTOM_B'], 'parent_provider_uuid': null, 'root_provider_uuid': 'CN'}, "
                + "'PF': {'resources': {'CUSTOM_VF': {'capacity': 4, 'used': 0}}, 'traits': [], "
                + "'parent_provider_uuid': 'CN', 'root_provider_uuid': 'CN'}}"})
    void writesProviderSummaries(String version, String expected) {
        assertThat(ask(version).get("provider_summaries")).isEqualTo(json(expected));
    }

    /** Candidates use one provider, the other, or both; the suffix of one group is the uuid of the first provider. */
    @Test
    void distinguishesAProviderFromAGroupNamedLikeIt() {
        FleetView view = aFleet().root("cn").inventory("VCPU", 8).child("pf").inventory("VCPU", 8).view();
        JsonNode requests = Found.ask(view, "resources" + CN + "=VCPU:1&resources_b=VCPU:2&group_policy=none", "1.39")
                .json().get("allocation_requests");
        String alone =
                "{'allocations': {'%1$s': {'resources': {'VCPU': 3}}}, 'mappings': {'CN': ['%1$s'], '_b': ['%1$s']}}";
        String both = "{'allocations': {'%1$s': {'resources': {'VCPU': 1}}, '%2$s': {'resources': {'VCPU': 2}}}, "
                + "'mappings': {'CN': ['%1$s'], '_b': ['%2$s']}}";
        assertThat(requests).containsExactlyInAnyOrder(
                json(alone.formatted(CN, PF)), json(alone.formatted(PF, CN)),
                json(both.formatted(CN, PF)), json(both.formatted(PF, CN)));
    }

    @Test
    void writesAnEmptyResponse() {
        assertThat(Found.ask(fleet().view(), "resources=VCPU:200", "1.39").json())
                .isEqualTo(json("{'allocation_requests': [], 'provider_summaries': {}}"));
    }

    @Test
    void rendersSummariesAgainAfterAResourceClassIsRenamed() {
        var view = fleet().view();
        var before = Found.ask(view, "resources=VCPU:2", "1.39");
        assertThat(view.find("pf").rendered().get(1, view.resourceClasses().renames())).isNotNull();
        FleetView renamed = view.with(
                List.of(), List.of(),
                List.of(new NameCatalogue.Entry(view.resourceClasses().find("CUSTOM_VF").id(), "CUSTOM_NEW", 0)),
                List.of());
        var after = Found.ask(renamed, "resources=VCPU:2", "1.39");
        assertThat(before.json().at("/provider_summaries/" + PF + "/resources").has("CUSTOM_VF")).isTrue();
        assertThat(after.json().at("/provider_summaries/" + PF + "/resources").has("CUSTOM_NEW")).isTrue();
    }

    @Test
    void jsonBytesGrowWithoutLosingAByte() {
        var bytes = new JsonBytes();
        var expected = new StringBuilder();
        for (int i = 0; i < 50_000; i++) {
            bytes.put(i).put(',').put(uuidOf("u" + i)).put("text");
            expected.append(i).append(",\"").append(uuidOf("u" + i)).append("\"text");
        }
        assertThat(new String(bytes.toByteArray(), StandardCharsets.US_ASCII)).isEqualTo(expected.toString());
        assertThat(bytes.length()).isEqualTo(expected.length());
    }
}
