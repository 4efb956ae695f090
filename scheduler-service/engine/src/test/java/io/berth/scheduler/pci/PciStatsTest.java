package io.berth.scheduler.pci;

import static io.berth.scheduler.numa.NumaBuilders.aHostCell;
import static io.berth.scheduler.numa.NumaBuilders.host;
import static io.berth.scheduler.pci.PciBuilders.aPool;
import static io.berth.scheduler.pci.PciBuilders.aRequest;
import static io.berth.scheduler.pci.PciBuilders.pools;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.numa.HostNuma;
import io.berth.scheduler.numa.NumaBuilders.HostCell;
import io.berth.scheduler.pci.PciBuilders.Request;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how PCI requests take devices from the pools of a host. */
class PciStatsTest {
    private static final Map<String, List<String>> NO_MAPPINGS = Map.of();

    @Test
    void appliesEachRequestBeforeTheNext() {
        assertThat(left(pools(aPool(1)), aRequest(1))).isEmpty();
        assertThat(left(pools(aPool(1)), aRequest(1), aRequest(1))).isEqualTo(NO);
        assertThat(left(pools(aPool(2)), aRequest(1), aRequest(1))).isEmpty();
    }

    @Test
    void takesFromThePoolWithTheFewestTagsFirst() {
        PciStats stats = pools(aPool(2).tags("a", "1", "b", "2"), aPool(2).tags("c", null), aPool(1).tags("a", "1"));
        assertThat(left(stats, aRequest(1))).containsExactly(1, 1, 2);
        assertThat(left(stats, aRequest(4))).containsExactly(1);
        assertThat(left(stats, aRequest(5))).isEmpty();
        assertThat(left(stats, aRequest(6))).isEqualTo(NO);
    }

    @Test
    void needsAPoolEvenForNoDevice() {
        assertThat(left(pools(), aRequest(0))).isEqualTo(NO);
        assertThat(left(pools(aPool(1)), aRequest(0))).containsExactly(1);
        assertThat(left(pools(aPool(1)))).containsExactly(1);
    }

    @ParameterizedTest(name = "asking for {0} leaves PF VF vdpa PCI = {1}")
    @CsvSource({"type-PF, 1 1 4 8", "type-VF, 2 4 8", "vdpa, 2 1 3 8", "'', 2 4 8", "TYPE-PF, -"})
    void keepsWholeAdaptersAndVdpaUnlessRequested(String type, String expected) {
        PciStats stats = pools(
                aPool(2).tags("dev_type", "type-PF"),
                aPool(1).tags("dev_type", "type-VF"),
                aPool(4).tags("dev_type", "vdpa"),
                aPool(8).tags("dev_type", "type-PCI"));
        Map<String, ?> spec = type.isEmpty() ? Map.of() : Map.of("dev_type", type);
        assertThat(text(left(stats, aRequest(1).spec(spec)))).isEqualTo(expected);
    }

    @Test
    void dropsAnAdapterWithTheIdsOfTheRequestedFunction() {
        PciStats stats = pools(aPool(2).tags("dev_type", "type-PF"), aPool(1).tags("dev_type", "type-VF"));
        Map<String, ?> ids = Map.of("vendor_id", "8086", "product_id", "1520");
        assertThat(left(stats, aRequest(1).spec(ids))).containsExactly(2);
        assertThat(left(stats, aRequest(2).spec(ids))).isEqualTo(NO);
    }

    @Test
    void dropsAdaptersOnlyAfterPreferringNearOnesLikeUpstream() {
        PciStats stats = pools(aPool(1).node(0).tags("dev_type", "type-PF"), aPool(4).tags("dev_type", "type-VF"));
        var onCell0 = CellAffinity.of(sockets(0), Set.of(0));
        assertThat(left(stats, NO_MAPPINGS, onCell0, aRequest(1))).isEqualTo(NO);
        assertThat(left(stats, NO_MAPPINGS, onCell0, aRequest(2))).containsExactly(1, 2);
    }

    @Test
    void keepsRemoteManagedDevicesUnlessRequested() {
        PciStats stats = pools(aPool(1).tags("remote_managed", " True "), aPool(1).tags("remote_managed", "nope"));
        assertThat(left(stats, aRequest(2))).isEqualTo(NO);
        assertThat(left(stats, aRequest(1))).containsExactly(1);
        assertThat(left(stats, aRequest(1).spec(Map.of("vendor_id", "8086"), Map.of("remote_managed", "yes"))))
                .containsExactly(1);
        assertThat(left(stats, aRequest(2).spec(Map.of("vendor_id", "8086"), Map.of("remote_managed", "yes"))))
                .isEmpty();
    }

    @ParameterizedTest(name = "{0} or {1} takes from {2}")
    @CsvSource({
        "true, true,   true",
        "false, false, false",
        "True, True,   TRUE",
        "true, false,  TRUE",
        "true, '',     TRUE"})
    void matchesLiveMigratableExactlyIfAllAlternativesAgree(String first, String second, String expected) {
        PciStats stats = pools(
                aPool(1).tags("live_migratable", "TRUE"),
                aPool(1).tags("live_migratable", "true"),
                aPool(1).tags("live_migratable", "false"),
                aPool(1).tags("other", "true"));
        Map<String, ?> other = second.isEmpty() ? Map.of() : Map.of("live_migratable", second);
        PciRequest request = aRequest(1).spec(Map.of("live_migratable", first), other).build();
        PciStats after = stats.take(List.of(request), NO_MAPPINGS, CellAffinity.ANYWHERE).orElseThrow();
        assertThat(stats.pools()).filteredOn(pool -> !after.pools().contains(pool))
                .singleElement()
                .satisfies(taken -> assertThat(taken.member("live_migratable")).isEqualTo(expected));
    }

    /** Pools near cells 0, 1, 2 and none have 1, 2, 4 and 8 devices; cells 0 and 1 share a socket. */
    @ParameterizedTest(name = "{0} x {1} on cell {2} -> {3}")
    @CsvSource({
        "1, REQUIRED,  0, 2 4 8",
        "2, REQUIRED,  0, -",
        "1, SOCKET,    0, 2 4 8",
        "2, SOCKET,    0, 1 4 8",
        "3, SOCKET,    0, 4 8",
        "4, SOCKET,    0, -",
        "1, LEGACY,    0, 2 4 8",
        "2, LEGACY,    0, 2 4 7",
        "9, LEGACY,    0, 2 4",
        "10, LEGACY,   0, -",
        "10, PREFERRED, 0, 1 4",
        "15, PREFERRED, 0, ''",
        "16, PREFERRED, 0, -",
        "4, PREFERRED, 2, 1 2 8",
        "5, PREFERRED, 2, 1 2 7"})
    void takesDevicesAsNearAsThePolicyDemands(int count, PciNumaPolicy policy, int cell, String expected) {
        PciStats stats = pools(aPool(1).node(0), aPool(2).node(1), aPool(4).node(2), aPool(8));
        var affinity = CellAffinity.of(sockets(0, 0, 1), Set.of(cell));
        assertThat(text(left(stats, NO_MAPPINGS, affinity, aRequest(count).policy(policy)))).isEqualTo(expected);
    }

    @Test
    void usesSocketsOnlyIfAllCellsReportOne() {
        PciStats stats = pools(aPool(2).node(1));
        Request request = aRequest(1).policy(PciNumaPolicy.SOCKET);
        assertThat(left(stats, NO_MAPPINGS, CellAffinity.of(sockets(0, 0), Set.of(0)), request)).containsExactly(1);
        assertThat(left(stats, NO_MAPPINGS, CellAffinity.of(sockets(0, 0, null), Set.of(0)), request)).isEqualTo(NO);
        assertThat(left(stats, NO_MAPPINGS, CellAffinity.of(null, Set.of(0)), request)).isEqualTo(NO);
        assertThat(left(stats, NO_MAPPINGS, CellAffinity.of(null, Set.of()), request)).containsExactly(1);
    }

    @Test
    void usesTheProvidersThatPlacementChose() {
        PciStats stats = pools(aPool(1).tags("rp_uuid", "A"), aPool(3).tags("rp_uuid", "B"), aPool(9));
        var mappings = Map.of("r1-0", List.of("B", "A"), "r1-1", List.of("B"), "r2-0", List.of("A"), "", List.of("C"));
        assertThat(left(stats, mappings, CellAffinity.ANYWHERE, aRequest(2))).containsExactly(9, 1, 1);
        assertThat(left(stats, mappings, CellAffinity.ANYWHERE, aRequest(2), aRequest(1).id("r2")))
                .containsExactly(9, 1);
        assertThat(left(stats, mappings, CellAffinity.ANYWHERE, aRequest(1).id("r2"), aRequest(1).id("r2")))
                .isEqualTo(NO);
    }

    @Test
    void ignoresMappingsOfPortsAndOfOtherRequests() {
        PciStats stats = pools(aPool(1).tags("rp_uuid", "A"), aPool(9));
        var mappings = Map.of("r1-0", List.of("A"));
        assertThat(left(stats, mappings, CellAffinity.ANYWHERE, aRequest(1).ofPort())).containsExactly(8, 1);
        assertThat(left(stats, mappings, CellAffinity.ANYWHERE, aRequest(1).id("r9"))).containsExactly(8, 1);
        assertThat(left(stats, mappings, CellAffinity.ANYWHERE, aRequest(1).id(null))).containsExactly(8, 1);
        assertThat(left(stats, mappings, CellAffinity.ANYWHERE, aRequest(1))).containsExactly(9);
    }

    @Test
    void usesTheProvidersOfTheSpecWithoutMappings() {
        PciStats stats = pools(aPool(1).tags("rp_uuid", "A"), aPool(3).tags("rp_uuid", "B"));
        Request request = aRequest(2).spec(Map.of("rp_uuids", "B,B"));
        assertThat(left(stats, null, CellAffinity.ANYWHERE, request)).containsExactly(1, 1);
        assertThat(left(stats, Map.of("x", List.of("A")), CellAffinity.ANYWHERE, request)).containsExactly(2);
    }

    @Test
    void refusesARequiredProviderThatIsSplitOverPools() {
        PciStats stats =
                pools(aPool(1).tags("rp_uuid", "A"), aPool(1).tags("rp_uuid", "B"), aPool(1).tags("rp_uuid", "B"));
        assertThat(left(stats, Map.of("r1-0", List.of("A")), CellAffinity.ANYWHERE, aRequest(1))).isEqualTo(NO);
        assertThat(left(stats, aRequest(1))).containsExactly(1, 1);
    }

    @Test
    void doesNotChangeTheHostsPools() {
        PciStats stats = pools(aPool(2), aPool(2));
        assertThat(left(stats, aRequest(3))).containsExactly(1);
        assertThat(stats).isEqualTo(pools(aPool(2), aPool(2)));
        assertThat(stats.deviceCount()).isEqualTo(4);
    }

    @Test
    void countsDevicesNearACell() {
        PciStats stats = pools(aPool(2).node(0), aPool(3).node(1), aPool(4).node(1), aPool(8));
        assertThat(stats.deviceCountOn(1)).isEqualTo(7);
        assertThat(stats.deviceCountOn(5)).isZero();
        assertThat(stats.deviceCount()).isEqualTo(17);
    }

    @Test
    void reportsWhetherChosenCellsSatisfyTheDemand() {
        PciStats stats = pools(aPool(1).node(0), aPool(2).node(1));
        var required = aRequest(2).policy(PciNumaPolicy.REQUIRED).build();
        var demand = new PciDemand(stats, List.of(required), NO_MAPPINGS, sockets(0, 1));
        assertThat(demand.requested()).isTrue();
        assertThat(demand.freeOn(1)).isEqualTo(2);
        assertThat(demand.satisfiableOn(Set.of(0))).isFalse();
        assertThat(demand.satisfiableOn(Set.of(1))).isTrue();
        assertThat(new PciDemand(stats, List.of(), NO_MAPPINGS, null).requested()).isFalse();
    }

    /** Stands for "cannot be satisfied". */
    private static final List<Integer> NO = List.of(-1);

    /** Returns the device counts of the pools that are left, in order. */
    private static List<Integer> left(PciStats stats, Request... requests) {
        return left(stats, NO_MAPPINGS, CellAffinity.ANYWHERE, requests);
    }

    private static List<Integer> left(
            PciStats stats, Map<String, List<String>> mappings, CellAffinity affinity, Request... requests) {
        return stats.take(Stream.of(requests).map(Request::build).toList(), mappings, affinity)
                .map(after -> after.pools().stream().map(PciPool::count).toList())
                .orElse(NO);
    }

    private static String text(List<Integer> counts) {
        return counts.equals(NO) ? "-" : String.join(" ", counts.stream().map(String::valueOf).toList());
    }

    private static HostNuma sockets(Integer... sockets) {
        var cells = new HostCell[sockets.length];
        for (int id = 0; id < sockets.length; id++) {
            cells[id] = aHostCell(id).socket(sockets[id]);
        }
        return host(cells);
    }
}
