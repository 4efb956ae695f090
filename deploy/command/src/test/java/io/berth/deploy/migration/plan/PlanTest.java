package io.berth.deploy.migration.plan;

import static io.berth.deploy.migration.States.SIXTEEN;
import static io.berth.deploy.migration.States.aState;
import static io.berth.deploy.migration.States.uuid;
import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.migration.States;
import io.berth.deploy.migration.state.Inventory;
import io.berth.deploy.migration.state.PlacementState;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the plan of the writes that turn one placement state into another. */
class PlanTest {
    private static final PlacementState EMPTY = aState().build();

    private static Plan plan(States source, States target) {
        return Plan.of(source.build(), target.build(), false);
    }

    @Test
    void isEmptyWhenBothAreTheSame() {
        var state = aState().host("a").trait("CUSTOM_A").consumer("c", "a", 3).build();
        assertThat(Plan.of(state, state, true).size()).isZero();
    }

    @Test
    void createsParentsBeforeChildren() {
        var source = aState().provider("leaf", "leaf", "mid", Map.of()).provider("mid", "mid", "root", Map.of())
                .provider("root", "root", null, Map.of());
        assertThat(plan(source, aState()).createdOrMoved())
                .containsExactly(List.of(uuid("root")), List.of(uuid("mid")), List.of(uuid("leaf")));
    }

    @Test
    void addsOnlyCustomTraitsAndResourceClasses() {
        var source = aState().trait("CUSTOM_A").trait("HW_NEW").resourceClass("CUSTOM_C").resourceClass("NEW");
        Plan plan = plan(source, aState());
        assertThat(plan.newTraits()).containsExactly("CUSTOM_A");
        assertThat(plan.newResourceClasses()).containsExactly("CUSTOM_C");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "16 of 16 fit as they are,         8, 8, false",
        "17 of 16 need room for a while,   8, 9, true"})
    void widensAnInventoryThatIsTooSmallForItsConsumers(String name, long one, long other, boolean widened) {
        Plan plan = plan(aState().host("a").consumer("one", "a", one).consumer("other", "a", other), aState());
        Inventory interim = plan.interimInventories().get(uuid("a")).get("VCPU");
        assertThat(interim).isEqualTo(widened ? Inventory.BOUNDLESS : SIXTEEN);
        assertThat(plan.finalInventories().containsKey(uuid("a"))).isEqualTo(widened);
        if (widened) {
            assertThat(plan.finalInventories().get(uuid("a"))).isEqualTo(Map.of("VCPU", SIXTEEN));
        }
    }

    @ParameterizedTest(name = "min {0}, max {1}, step {2}: 6 needs room={3}")
    @CsvSource({"1, 16, 1, false", "7, 16, 1, true", "1, 5, 1, true", "1, 16, 4, true", "6, 6, 6, false"})
    void widensAnInventoryThatRefusesTheAmount(int min, int max, int step, boolean widened) {
        var source = aState().provider("a", "a", null, Map.of("VCPU", new Inventory(16, 0, min, max, step, 1)))
                .consumer("c", "a", 6);
        assertThat(plan(source, aState()).finalInventories().containsKey(uuid("a"))).isEqualTo(widened);
    }

    @Test
    void leavesAnOvercommittedProviderAloneIfItsConsumersExist() {
        var state = aState().host("a").consumer("c", "a", 40).build();
        assertThat(Plan.of(state, state, false).interimInventories()).isEmpty();
    }

    /** Neither consumer could be written before the other one has left. */
    @Test
    void widensInventoriesForConsumersThatSwapProviders() {
        var source = aState().host("a").host("b").consumer("c", "a", 16).consumer("d", "b", 16);
        var target = aState().host("a").host("b").consumer("c", "b", 16).consumer("d", "a", 16);
        Plan plan = plan(source, target);
        assertThat(plan.consumers()).containsExactlyInAnyOrder(uuid("c"), uuid("d"));
        assertThat(plan.interimInventories().get(uuid("a"))).isEqualTo(Map.of("VCPU", Inventory.BOUNDLESS));
        assertThat(plan.finalInventories().get(uuid("b"))).isEqualTo(Map.of("VCPU", SIXTEEN));
    }

    @Test
    void removesAnInventoryOnlyAfterItsAllocations() {
        var memory = Map.of("MEMORY_MB", new Inventory(1024, 0, 1, 1024, 1, 1));
        var source = aState().provider("a", "a", null, memory)
                .consumer("c", "INSTANCE", Map.of(uuid("a"), Map.of("MEMORY_MB", 512L)));
        var target = aState().host("a").consumer("c", "a", 4);
        Plan plan = plan(source, target);
        assertThat(plan.interimInventories().get(uuid("a"))).containsOnlyKeys("VCPU", "MEMORY_MB");
        assertThat(plan.finalInventories().get(uuid("a"))).isEqualTo(memory);
    }

    @Test
    void keepsAnInventoryThatOnlyAConsumerOfTheTargetUses() {
        var source = aState().provider("a", "a", null, Map.of());
        var target = aState().host("a").consumer("theirs", "a", 4);
        assertThat(Plan.of(source.build(), target.build(), false).finalInventories()).isEmpty();
        assertThat(Plan.of(source.build(), target.build(), true).finalInventories().get(uuid("a"))).isEmpty();
    }

    @Test
    void temporarilyRenamesProvidersThatSwapTheirNames() {
        var source = aState().provider("a", "y", null, Map.of()).provider("b", "x", null, Map.of());
        var target = aState().provider("a", "x", null, Map.of()).provider("b", "y", null, Map.of());
        Plan plan = plan(source, target);
        assertThat(plan.temporarilyRenamed()).containsExactlyInAnyOrder(uuid("a"), uuid("b"));
        assertThat(plan.createdOrMoved()).hasSize(1);
        assertThat(plan.createdOrMoved().getFirst()).containsExactlyInAnyOrder(uuid("a"), uuid("b"));
    }

    @Test
    void detachesProvidersThatGetAnotherParent() {
        var source = aState().provider("a", "a", "b", Map.of()).provider("b", "b", null, Map.of());
        var target = aState().provider("a", "a", null, Map.of()).provider("b", "b", "a", Map.of());
        Plan plan = plan(source, target);
        assertThat(plan.detached()).containsExactly(uuid("b"));
        assertThat(plan.createdOrMoved()).containsExactly(List.of(uuid("b")), List.of(uuid("a")));
    }

    @Test
    void prunesOnlyOnRequestAndChildrenFirst() {
        var target = aState().host("root").provider("child", "child", "root", Map.of()).trait("CUSTOM_T")
                .consumer("c", "root", 1).build();
        assertThat(Plan.of(EMPTY, target, false).size()).isZero();
        Plan pruned = Plan.of(EMPTY, target, true);
        assertThat(pruned.goneConsumers()).containsExactly(uuid("c"));
        assertThat(pruned.goneProviders()).containsExactly(List.of(uuid("child")), List.of(uuid("root")));
        assertThat(pruned.goneTraits()).containsExactly("CUSTOM_T");
        assertThat(pruned.size()).isEqualTo(4);
    }

    @Test
    void refusesStandardNamesThatTheTargetDoesNotKnow() {
        var source = aState().host("a").trait("HW_NEW").traits("a", "HW_NEW").build();
        assertThat(Plan.obstacles(source, EMPTY, false)).singleElement().asString()
                .contains("standard trait HW_NEW", uuid("a").toString());
        assertThat(Plan.obstacles(source, aState().trait("HW_NEW").build(), false)).isEmpty();
    }

    @Test
    void refusesANameThatAnotherProviderOfTheTargetHas() {
        var source = aState().provider("a", "x", null, Map.of()).build();
        var target = aState().provider("theirs", "x", null, Map.of()).build();
        assertThat(Plan.obstacles(source, target, false)).singleElement().asString()
                .contains(uuid("a").toString(), uuid("theirs").toString(), "x");
        assertThat(Plan.obstacles(source, target, true)).isEmpty();
        assertThat(Plan.of(source, target, true).temporarilyRenamed()).containsExactly(uuid("theirs"));
    }
}
