package io.berth.scheduler.host.registry.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests which of Berth's own placements count as builds that their host has not reported yet. */
class OwnBuildsTest {
    private static final String NODE = "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
    private static final UUID INSTANCE = UUID.fromString("bbbbbbbb-bbbb-4bbb-8bbb-bbbbbbbbbbbb");

    private static final Duration LIMIT = Duration.ofMinutes(1);

    private final Registries edits = new Registries();
    /** Instances that the source has on a host. */
    private final Set<UUID> known = new HashSet<>();
    private RegistrySnapshot registry =
            edits.computeNode(NODE, "{\"host\": \"cmp1\"}").after(RegistrySnapshot.EMPTY, 0);
    private OwnBuilds builds = OwnBuilds.countedFor(LIMIT);

    /** Returns the number of builds on cmp1 after the edits so far. */
    private int countAfter(long nanos, UUID... changed) {
        RegistrySnapshot before = registry;
        registry = edits.after(before, 0);
        builds = builds.after(before, registry, Set.of(changed), known::contains, nanos);
        return builds.on("cmp1", "cmp1");
    }

    private int place(String host) {
        edits.instance(INSTANCE.toString(), "{\"host\": \"" + host + "\"}");
        return countAfter(0, INSTANCE);
    }

    private int report(int freeRamMb) {
        edits.computeNode(NODE, "{\"host\": \"cmp1\", \"free_ram_mb\": " + freeRamMb + "}");
        return countAfter(1);
    }

    @Test
    void countsUntilTheSourceHasTheInstanceAndItsHostReported() {
        assertThat(place("cmp1")).isOne();
        assertThat(report(1)).as("the host reported before the source had the instance").isOne();
        known.add(INSTANCE);
        assertThat(countAfter(1, INSTANCE)).isZero();
    }

    @Test
    void countsUntilTheHostReportsAfterTheSourceHasTheInstance() {
        place("cmp1");
        known.add(INSTANCE);
        assertThat(countAfter(1, INSTANCE)).isOne();
        assertThat(report(1)).isZero();
    }

    @Test
    void stopsCountingABuildAfterTheConfiguredTime() {
        place("cmp1");
        assertThat(countAfter(LIMIT.toNanos())).isOne();
        assertThat(countAfter(LIMIT.toNanos() + 1)).isZero();
    }

    @Test
    void stopsCountingAnInstanceThatMovedOrWasDeleted() {
        place("cmp1");
        assertThat(place("cmp2")).isZero();
        edits.without(INSTANCE.toString());
        countAfter(0, INSTANCE);
        assertThat(place("cmp1")).isOne();
        edits.without(INSTANCE.toString());
        assertThat(countAfter(0, INSTANCE)).isZero();
    }

    @Test
    void ignoresKnownOrMovedInstancesAndHostsWithoutANode() {
        assertThat(place("cmp9")).isZero();
        assertThat(builds.on("cmp9", "cmp9")).isZero();
        assertThat(place("cmp1")).as("moved").isZero();
        edits.without(INSTANCE.toString());
        countAfter(0, INSTANCE);
        known.add(INSTANCE);
        assertThat(place("cmp1")).isZero();
    }

    @Test
    void countsNothingWhenCountingIsOff() {
        builds = OwnBuilds.NOT_COUNTED;
        assertThat(place("cmp1")).isZero();
        assertThat(builds.areCounted()).isFalse();
    }

    @Test
    void listsHostsWhoseCountDiffers() {
        List<String> changed = new ArrayList<>();
        place("cmp1");
        builds.forEachChangedHost(OwnBuilds.NOT_COUNTED, changed::add);
        OwnBuilds.NOT_COUNTED.forEachChangedHost(builds, changed::add);
        builds.forEachChangedHost(builds, changed::add);
        assertThat(changed).containsExactly("cmp1", "cmp1");
    }
}
