package io.berth.deploy.migration.state;

import static io.berth.deploy.migration.States.aState;
import static io.berth.deploy.migration.States.uuid;
import static io.berth.deploy.migration.state.Difference.Kind.NOT_AS_IN_SOURCE;
import static io.berth.deploy.migration.state.Difference.Kind.ONLY_IN_TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests the comparison of two placement states. */
class DifferencesTest {
    @Test
    void ignoresStandardNamesThatOnlyOneStateHas() {
        var source = aState().host("a").trait("HW_OLD").build();
        assertThat(Differences.between(source, aState().host("a").build())).isEmpty();
    }

    @Test
    void reportsWhichSideLacksSomething() {
        var source = aState().host("a").host("b").consumer("c", "a", 1).trait("CUSTOM_S").build();
        var target = aState().host("a").host("z").consumer("d", "a", 1).trait("CUSTOM_T").build();
        assertThat(Differences.between(source, target)).containsExactlyInAnyOrder(
                new Difference(NOT_AS_IN_SOURCE, "trait CUSTOM_S is missing"),
                new Difference(ONLY_IN_TARGET, "trait CUSTOM_T is only in the target"),
                new Difference(NOT_AS_IN_SOURCE, "provider " + uuid("b") + " is missing"),
                new Difference(ONLY_IN_TARGET, "provider " + uuid("z") + " is only in the target"),
                new Difference(NOT_AS_IN_SOURCE, "consumer " + uuid("c") + " is missing"),
                new Difference(ONLY_IN_TARGET, "consumer " + uuid("d") + " is only in the target"));
    }

    @Test
    void namesTheMemberAndBothValues() {
        var source = aState().provider("a", "new", null, Map.of()).consumer("c", "INSTANCE", Map.of()).build();
        var target = aState().provider("a", "old", null, Map.of()).consumer("c", "unknown", Map.of()).build();
        assertThat(Differences.between(source, target)).containsExactly(
                new Difference(NOT_AS_IN_SOURCE,
                        "provider " + uuid("a") + ": name old in the target, new in the source"),
                new Difference(NOT_AS_IN_SOURCE,
                        "consumer " + uuid("c") + ": type unknown in the target, INSTANCE in the source"));
    }
}
