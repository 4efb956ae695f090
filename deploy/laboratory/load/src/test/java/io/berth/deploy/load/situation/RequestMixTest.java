package io.berth.deploy.load.situation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.load.life.Cloud;
import io.berth.deploy.load.life.Flavor;
import io.berth.deploy.load.life.VmSize;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the mix of requests that the load generator draws. */
class RequestMixTest {
    private static final int DRAWS = 20_000;

    private static List<InstanceRequest> draws(long seed) {
        var mix = new RequestMix(seed);
        var random = new SplittableRandom(seed);
        return Stream.generate(() -> mix.draw(random)).limit(DRAWS).toList();
    }

    @Test
    void drawsTheSameFromTheSameSeed() {
        assertThat(draws(5)).isEqualTo(draws(5)).isNotEqualTo(draws(6));
    }

    @Test
    void drawsEveryFlavorProjectImageAndZoneInItsShare() {
        List<InstanceRequest> all = draws(1);
        assertThat(all.stream().map(InstanceRequest::flavor).distinct()).hasSize(100);
        assertThat(all.stream().map(InstanceRequest::project).distinct()).hasSize(50);
        assertThat(all.stream().map(InstanceRequest::image).distinct()).hasSize(5);
        assertThat(all.stream().map(each -> String.valueOf(each.zone())).distinct()).hasSize(4);
        assertThat(share(all.stream().filter(each -> each.group() != null))).isCloseTo(0.1, within(0.01));
        assertThat(share(all.stream().filter(each -> hasSpec(each, "trait:")))).isCloseTo(0.1, within(0.01));
        assertThat(share(all.stream().filter(each -> hasSpec(each, "hw:numa_nodes")))).isCloseTo(0.05, within(0.01));
    }

    private static boolean hasSpec(InstanceRequest request, String name) {
        return request.flavor().extraSpecs().keySet().stream().anyMatch(key -> key.startsWith(name));
    }

    private static double share(Stream<InstanceRequest> some) {
        return (double) some.count() / DRAWS;
    }

    @Test
    void aGroupBelongsToTheProjectOfTheRequest() {
        var mix = new RequestMix(1);
        assertThat(draws(1)).filteredOn(each -> each.group() != null).allMatch(each -> mix.groups().stream()
                .anyMatch(group -> group.uuid().equals(each.group()) && group.project().equals(each.project())));
    }

    @Test
    void createsABodyInTheFormOfTheApi() throws JsonProcessingException {
        var flavor = new Flavor(4, Cloud.AZURE, new VmSize(2, 3584), 10, Map.of("hw:numa_nodes", "2"));
        UUID group = new UUID(1, 2);
        UUID instance = new UUID(3, 4);
        JsonNode body = new ObjectMapper().readTree(
                new InstanceRequest(flavor, "p", RequestMix.IMAGES.get(2), "z", group).body(instance));
        assertThat(body.path("instance_uuids").path(0).asText()).isEqualTo(instance.toString());
        JsonNode spec = body.path("request_spec");
        assertThat(spec.path("flavor").path("memory_mb").asInt()).isEqualTo(3584);
        assertThat(spec.path("flavor").path("extra_specs").path("hw:numa_nodes").asText()).isEqualTo("2");
        assertThat(spec.path("image").path("properties").path("img_hv_type").asText()).isEqualTo("kvm");
        assertThat(spec.path("availability_zone").asText()).isEqualTo("z");
        assertThat(spec.path("scheduler_hints").path("group").path(0).asText()).isEqualTo(group.toString());
        JsonNode plain = new ObjectMapper().readTree(SelectSituation.kind(3).body(instance)).path("request_spec");
        assertThat(plain.has("image") || plain.has("availability_zone") || plain.has("scheduler_hints")).isFalse();
    }

    @Test
    void ignoresNumaNodesIfTheSchedulerDoesNotCheckThem() {
        var flavor = new Flavor(0, Cloud.AZURE, new VmSize(2, 64), 1, Map.of("hw:numa_nodes", "2"));
        assertThat(new InstanceRequest(flavor, "p", null, null, null).mayBePlacedOn(3, false)).isTrue();
    }

    @ParameterizedTest(name = "host {0}, zone {1}, {2}={3}: {4}")
    @CsvSource({
        "4,  bench-zone-1, ,                    ,         true",
        "4,  ,             ,                    ,         true",
        "4,  bench-zone-0, ,                    ,         false",
        "13, ,             trait:CUSTOM_BENCH_3, required, true",
        "14, ,             trait:CUSTOM_BENCH_3, required, false",
        "2,  ,             hw:numa_nodes,        2,        true",
        "3,  ,             hw:numa_nodes,        2,        false"})
    void returnsWhetherAHostMayBeSelected(int host, String zone, String spec, String value, boolean expected) {
        var flavor = new Flavor(0, Cloud.AZURE, new VmSize(2, 64), 1, spec == null ? Map.of() : Map.of(spec, value));
        assertThat(new InstanceRequest(flavor, "p", null, zone, null).mayBePlacedOn(host, true)).isEqualTo(expected);
    }
}
