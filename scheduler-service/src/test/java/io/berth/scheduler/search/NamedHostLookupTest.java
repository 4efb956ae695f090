package io.berth.scheduler.search;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.host.registry.snapshot.Registries;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placement.InMemoryPlacement;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the look-up of hosts and nodes that a request names. */
class NamedHostLookupTest {
    private static final String ONE = "11111111-1111-4111-8111-111111111111";
    private static final String OTHER = "22222222-2222-4222-8222-222222222222";
    private static final String CELL = "33333333-3333-4333-8333-333333333333";
    private static final String ELSEWHERE = "44444444-4444-4444-8444-444444444444";
    private static final String NODE = "{\"host\": \"%s\", \"nodename\": \"%s\", \"cell_uuid\": \"" + CELL + "\"}";

    /** Looks names up with a placement that has a provider of every name. */
    private static NamedHostLookup.Result find(RequestSpec.Builder spec, RegistrySnapshot registry) {
        var placement = new InMemoryPlacement() {
            @Override
            public Uni<ProvidersResult> findProviders(String queryString, String requestId) {
                return Uni.createFrom().item(new ProvidersResult.Listed(Map.of("provider", queryString)));
            }
        };
        return new NamedHostLookup(placement).find(spec.build(), registry, "req-1").await().indefinitely();
    }

    private static RegistrySnapshot registry(String... hosts) {
        Registries registries = new Registries();
        List<String> uuids = List.of(ONE, OTHER);
        for (int i = 0; i < hosts.length; i++) {
            registries.computeNode(uuids.get(i), NODE.formatted(hosts[i], "n-" + hosts[i]));
        }
        return registries.snapshot();
    }

    private static RequestSpec.Builder request() {
        return RequestSpec.of(new Flavor(1L, "small", "1", 1, 512, 0, 0, 0, Map.of()));
    }

    private static RequestSpec.Builder destination(@Nullable String host, @Nullable String node,
            @Nullable String cell) {
        return request().requestedDestination(new RequestedDestination(host, node, cell, false));
    }

    @Test
    void findsAForcedHostWhateverItsCase() {
        assertThat(find(request().forceHosts(List.of("cmp1")), registry("CMP1", "CMP2")))
                .isInstanceOfSatisfying(NamedHostLookup.Found.class, found -> assertThat(
                        found.hosts().computeNodeUuids()).containsExactly(ONE));
    }

    @Test
    void prefersTheHostWithTheSameCase() {
        assertThat(find(request().forceHosts(List.of("cmp1")), registry("CMP1", "cmp1")))
                .isInstanceOfSatisfying(NamedHostLookup.Found.class, found -> assertThat(
                        found.hosts().computeNodeUuids()).containsExactly(OTHER));
    }

    /** Later steps compare the destination by case. */
    @Test
    void replacesTheDestinationByTheExactHostName() {
        for (RequestSpec.Builder spec : List.of(
                destination("cmp1", null, CELL), destination(null, "N-cmp1", null),
                destination("cmp1", "n-CMP1", null))) {
            assertThat(find(spec, registry("CMP1", "CMP2")))
                    .isInstanceOfSatisfying(NamedHostLookup.Found.class, found -> {
                        assertThat(found.hosts().computeNodeUuids()).containsExactly(ONE);
                        assertThat(found.spec().requestedDestination().host()).isEqualTo("CMP1");
                        assertThat(found.spec().requestedDestination().node()).isEqualTo("n-CMP1");
                    });
        }
    }

    @Test
    void searchesPlacementForUnregisteredHosts() {
        assertThat(find(request().forceHosts(List.of("cmp9")), registry("cmp1")))
                .isInstanceOfSatisfying(NamedHostLookup.Found.class, found -> assertThat(
                        found.namesByUuid()).isEqualTo(Map.of("provider", "name=cmp9")));
    }

    private static String refusal(RequestSpec.Builder spec, RegistrySnapshot registry, Map<String, String> providers) {
        var placement = new InMemoryPlacement() {
            @Override
            public Uni<ProvidersResult> findProviders(String queryString, String requestId) {
                return Uni.createFrom().item(new ProvidersResult.Listed(providers));
            }
        };
        var found = new NamedHostLookup(placement).find(spec.build(), registry, "req-1").await().indefinitely();
        return ((NamedHostLookup.NoSuchHost) found).why();
    }

    @Test
    void namesTheCellOfTheHost() {
        RegistrySnapshot registry = new Registries()
                .cell(CELL, "{\"name\": \"one\"}")
                .cell(ELSEWHERE, "{\"name\": \"two\"}")
                .computeNode(ONE, NODE.formatted("cmp1", "cmp1"))
                .snapshot();
        assertThat(refusal(destination("cmp1", null, ELSEWHERE), registry, Map.of())).isEqualTo(
                "no such host: cmp1 in cell two: it is in cell one, and the request must not cross cells");
    }

    @Test
    void suggestsSimilarHostNames() {
        assertThat(refusal(request().forceHosts(List.of("n-cmp1")), registry("cmp1"), Map.of(ONE, "n-cmp1")))
                .isEqualTo("no such host: n-cmp1; near: cmp1");
        assertThat(refusal(request().forceHosts(List.of("cmp1.example.org")), registry("cmp2", "cmp1"), Map.of()))
                .isEqualTo("no such host: cmp1.example.org; near: cmp1");
        assertThat(refusal(request().forceHosts(List.of("cmp11")), registry("cmp1"), Map.of()))
                .isEqualTo("no such host: cmp11; near: cmp1");
        assertThat(refusal(request().forceHosts(List.of("elsewhere")), registry("cmp1"), Map.of()))
                .isEqualTo("no such host: elsewhere");
    }

    @Test
    void findsNoHostOutsideOfTheDestinationsCell() {
        assertThat(find(destination("cmp1", null, ELSEWHERE), registry("cmp1")))
                .isInstanceOf(NamedHostLookup.NoSuchHost.class);
        assertThat(find(destination(null, "n-cmp1", ELSEWHERE), registry("cmp1")))
                .isInstanceOf(NamedHostLookup.NoSuchHost.class);
        assertThat(find(destination("cmp1", null, CELL), registry("cmp1")))
                .isInstanceOf(NamedHostLookup.Found.class);
    }
}
