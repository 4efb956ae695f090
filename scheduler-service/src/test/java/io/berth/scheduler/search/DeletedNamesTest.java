package io.berth.scheduler.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.SchedulerHints;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how names of deleted zones and server groups are dropped from a request. */
class DeletedNamesTest {
    private static final String KNOWN = "11111111-1111-4111-8111-111111111111";
    private static final String GONE = "22222222-2222-4222-8222-222222222222";
    private static final RegistrySnapshot REGISTRY = new Registries()
            .aggregate(KNOWN, "{\"name\": \"north\", \"metadata\": {\"availability_zone\": \"north\"}, \"hosts\": []}")
            .serverGroup(KNOWN, "{\"policy\": \"affinity\"}")
            .snapshot();

    private static RequestSpec.Builder request() {
        return RequestSpec.of(new Flavor(1L, "small", "1", 1, 512, 0, 0, 0, Map.of()));
    }

    private static RequestSpec ignored(RequestSpec.Builder spec) {
        return DeletedNames.ignore(spec.build(), REGISTRY, "nova");
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource({"north, north", "south,", "'south,north', north", "nova, nova", "'',''", ","})
    void keepsOnlyExistingZones(String requested, String kept) {
        assertThat(ignored(request().availabilityZone(requested)).availabilityZone()).isEqualTo(kept);
    }

    @Test
    void dropsADeletedGroupFromHintsAndInstanceGroup() {
        for (String group : List.of(KNOWN, GONE)) {
            Map<String, List<String>> hints = Map.of("group", List.of(group), "query", List.of("[]"));
            boolean isKept = group.equals(KNOWN);
            assertThat(ignored(request().schedulerHints(new SchedulerHints(hints))).schedulerHints().values())
                    .isEqualTo(isKept ? hints : Map.of("query", List.of("[]")));
            InstanceGroup named = new InstanceGroup(group, null, null, Set.of(), List.of());
            assertThat(ignored(request().instanceGroup(named)).instanceGroup()).isEqualTo(isKept ? named : null);
        }
    }

    @Test
    void keepsADeletedGroupThatContainsItsPolicy() {
        InstanceGroup brought = new InstanceGroup(GONE, "affinity", null, Set.of(), List.of("a"));
        assertThat(ignored(request().instanceGroup(brought)).instanceGroup()).isEqualTo(brought);
    }
}
