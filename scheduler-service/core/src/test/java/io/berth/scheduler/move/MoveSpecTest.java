package io.berth.scheduler.move;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.request.Flavor;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests the request spec of a move. */
class MoveSpecTest {
    private static final UUID INSTANCE = UUID.fromString("11111111-1111-4111-8111-111111111111");
    private static final SourceHost SOURCE = new SourceHost("source", "cell-1");

    private static RequestSpec.Builder original() {
        return RequestSpec.of(new Flavor(1L, "small", "1", 1, 512, 10, 0, 0, Map.of()));
    }

    private static RequestSpec move(MoveKind kind, RequestSpec original) {
        return MoveSpec.of(kind, INSTANCE, original, SOURCE, false);
    }

    @ParameterizedTest
    @EnumSource(MoveKind.class)
    void placesTheOneInstance(MoveKind kind) {
        RequestSpec spec = move(kind, original().build());
        assertThat(spec.instanceUuids()).containsExactly(INSTANCE.toString());
        assertThat(spec.instanceCount()).isEqualTo(1);
    }

    @ParameterizedTest(name = "{0} forgets forced hosts and ignores the source: {1}")
    @CsvSource({"RESIZE, true", "COLD, true", "LIVE, true", "EVACUATE, true", "UNSHELVE, false"})
    void ignoresTheSourceAndForgetsForcedHosts(MoveKind kind, boolean ignores) {
        RequestSpec spec = move(kind, original()
                .ignoreHosts(List.of("broken"))
                .forceHosts(List.of("wanted"))
                .forceNodes(List.of("node"))
                .build());
        assertThat(spec.forceHosts()).isEmpty();
        assertThat(spec.forceNodes()).isEmpty();
        assertThat(spec.ignoreHosts()).isEqualTo(ignores ? List.of("broken", "source") : List.of("broken"));
    }

    @Test
    void allowsTheSourceIfTheInstanceMayStay() {
        RequestSpec spec = MoveSpec.of(MoveKind.RESIZE, INSTANCE, original().build(), SOURCE, true);
        assertThat(spec.ignoreHosts()).isEmpty();
    }

    @ParameterizedTest(name = "{0}, crossing allowed {1}, host {2}: cell {3}, crossing {4}")
    @CsvSource(nullValues = "none", value = {
        "RESIZE, false, none, cell-1, false",
        "RESIZE, true, none, cell-1, true",
        "RESIZE, true, there, none, true",
        "RESIZE, false, there, cell-1, false",
        "COLD, true, none, cell-1, true",
        "LIVE, true, there, cell-1, false",
        "EVACUATE, true, none, cell-1, false",
        "UNSHELVE, false, none, cell-1, false",
        "UNSHELVE, false, there, cell-9, false"})
    void prefersOrRequiresTheSourcesCell(MoveKind kind, boolean mayCross, String host, String cell, boolean crosses) {
        RequestSpec spec = move(kind, original()
                .requestedDestination(new RequestedDestination(host, null, "cell-9", mayCross))
                .build());
        assertThat(spec.requestedDestination()).isEqualTo(new RequestedDestination(host, null, cell, crosses));
    }

    @Test
    void keepsTheZoneOfAnUnshelvedInstance() {
        assertThat(move(MoveKind.UNSHELVE, original().availabilityZone("az").build()).requestedDestination()).isNull();
    }

    @Test
    void setsNoDestinationIfTheCellIsUnknown() {
        RequestSpec spec = MoveSpec.of(
                MoveKind.LIVE, INSTANCE, original().build(), new SourceHost("source", null), false);
        assertThat(spec.requestedDestination()).isNull();
        assertThat(spec.ignoreHosts()).containsExactly("source");
    }
}
