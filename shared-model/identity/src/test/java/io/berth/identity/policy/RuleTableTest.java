package io.berth.identity.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.identity.Caller;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RuleTableTest {
    private static final List<DefaultRule> DEFAULTS = List.of(
            new DefaultRule("service_api", "role:service", "role:admin"),
            DefaultRule.of("api:list", "rule:service_api or role:reader"),
            DefaultRule.of("api:change", "rule:service_api"));

    private static boolean allows(RuleTable table, String rule, String role) {
        Caller caller = Caller.ofProject("u", "p", Set.of(role));
        return table.get(rule).holds(caller, Target.ownOf(caller));
    }

    @Test
    void oldDefaultsSufficeUntilTheNewOnesAreEnforced() {
        RuleTable both = RuleTable.of(DEFAULTS, Map.of(), false);
        assertThat(allows(both, "api:change", "admin")).isTrue();
        RuleTable alone = RuleTable.of(DEFAULTS, Map.of(), true);
        assertThat(allows(alone, "api:change", "admin")).isFalse();
        assertThat(allows(alone, "api:change", "service")).isTrue();
    }

    @Test
    void aStatedRuleReplacesBothDefaultsWhereverItIsReferredTo() {
        RuleTable table = RuleTable.of(DEFAULTS, Map.of("service_api", "role:robot"), false);
        assertThat(allows(table, "api:change", "admin")).isFalse();
        assertThat(allows(table, "api:change", "robot")).isTrue();
        assertThat(allows(table, "api:list", "robot")).isTrue();
        assertThat(allows(table, "api:list", "reader")).isTrue();
    }

    @Test
    void aFileMayAddNamesForItsOwnUse() {
        RuleTable table = RuleTable.of(
                DEFAULTS, Map.of("viewer", "role:auditor", "api:list", "rule:viewer and not role:admin"), false);
        assertThat(allows(table, "api:list", "auditor")).isTrue();
        assertThat(allows(table, "api:list", "reader")).isFalse();
    }

    @Test
    void refusesAnOperationThatIsNotOurs() {
        assertThatThrownBy(() -> RuleTable.of(DEFAULTS, Map.of("api:lists", "@"), false))
                .isInstanceOf(RuleInvalid.class)
                .hasMessage("rule api:lists: there is no such operation");
    }

    @Test
    void refusesAReferenceToNothingNamingRuleAndColumn() {
        assertThatThrownBy(() -> RuleTable.of(DEFAULTS, Map.of("api:list", "role:a or rule:servce_api"), false))
                .hasMessage("rule api:list, column 16: there is no rule servce_api");
    }

    @Test
    void refusesASyntaxErrorNamingRuleAndColumn() {
        assertThatThrownBy(() -> RuleTable.of(DEFAULTS, Map.of("api:list", "role:a oder role:b"), false))
                .hasMessage("rule api:list, column 8: 'oder' where 'and', 'or' or the end was expected");
    }

    @Test
    void refusesACircle() {
        assertThatThrownBy(() -> RuleTable.of(DEFAULTS, Map.of("x", "rule:y", "y", "not rule:x"), false))
                .isInstanceOf(RuleInvalid.class)
                .hasMessageContaining("in a circle");
    }

    @Test
    void askingForARuleThatIsNotThereIsABug() {
        assertThatThrownBy(() -> RuleTable.of(DEFAULTS, Map.of(), false).get("api:gone")).isInstanceOf(IllegalArgumentException.class);
    }
}
