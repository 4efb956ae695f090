package io.berth.identity.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.identity.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Tests the table of policy rules: defaults, rules of a file, and references. */
class RuleTableTest {
    private static final List<DefaultRule> DEFAULTS = List.of(
            new DefaultRule("service_api", "role:service", "role:admin"),
            DefaultRule.of("api:list", "rule:service_api or role:reader"),
            DefaultRule.of("api:change", "rule:service_api"));

    private static RuleTable table(Map<String, String> stated, boolean newDefaultsAlone) {
        return table(stated, newDefaultsAlone, PolicyFaults.REFUSE);
    }

    private static RuleTable table(Map<String, String> stated, boolean newDefaultsAlone, PolicyFaults faults) {
        Map<String, RuleDefinition> rules = new TreeMap<>();
        stated.forEach((name, text) -> rules.put(name, new RuleDefinition.Text(text)));
        return RuleTable.of(DEFAULTS, rules, newDefaultsAlone, faults);
    }

    private static boolean allows(RuleTable table, String rule, String role) {
        Caller caller = Caller.ofProject("u", "p", Set.of(role));
        return table.get(rule).holds(caller, Target.ownOf(caller));
    }

    @Test
    void oldDefaultsApplyUntilNewDefaultsAreEnforced() {
        RuleTable both = table(Map.of(), false);
        assertThat(allows(both, "api:change", "admin")).isTrue();
        RuleTable alone = table(Map.of(), true);
        assertThat(allows(alone, "api:change", "admin")).isFalse();
        assertThat(allows(alone, "api:change", "service")).isTrue();
    }

    @Test
    void aConfiguredRuleReplacesBothDefaultsInAllReferences() {
        RuleTable table = table(Map.of("service_api", "role:robot"), false);
        assertThat(allows(table, "api:change", "admin")).isFalse();
        assertThat(allows(table, "api:change", "robot")).isTrue();
        assertThat(allows(table, "api:list", "robot")).isTrue();
        assertThat(allows(table, "api:list", "reader")).isTrue();
    }

    @Test
    void aFileMayAddNamesForItsOwnUse() {
        RuleTable table = table(
                Map.of("viewer", "role:auditor", "api:list", "rule:viewer and not role:admin"), false);
        assertThat(allows(table, "api:list", "auditor")).isTrue();
        assertThat(allows(table, "api:list", "reader")).isFalse();
    }

    @Test
    void refusesAnUnknownOperation() {
        assertThatThrownBy(() -> table(Map.of("api:lists", "@"), false))
                .isInstanceOf(PolicyFault.class)
                .hasMessage("rule api:lists: there is no such operation");
    }

    @Test
    void refusesAnUnknownReferenceWithRuleAndColumn() {
        assertThatThrownBy(() -> table(Map.of("api:list", "role:a or rule:servce_api"), false))
                .hasMessage("rule api:list, column 16: there is no rule servce_api");
    }

    @Test
    void refusesASyntaxErrorWithRuleAndColumn() {
        assertThatThrownBy(() -> table(Map.of("api:list", "role:a oder role:b"), false))
                .hasMessage("rule api:list, column 8: 'oder' where 'and', 'or' or the end was expected");
    }

    @Test
    void refusesACircularReference() {
        assertThatThrownBy(() -> table(Map.of("x", "rule:y", "y", "not rule:x"), false))
                .isInstanceOf(PolicyFault.class)
                .hasMessageContaining("in a circle");
    }

    /** Behaves like oslo.policy. */
    @Test
    void ignoresUnknownOperationsAndTreatsUnknownReferencesAsFalse() {
        List<String> noted = new ArrayList<>();
        RuleTable table = table(
                Map.of("api:lists", "@", "api:list", "rule:viewers or role:reader", "api:change", "not rule:viewers"),
                false,
                (wrong, effect) -> noted.add(wrong.getMessage() + "; " + effect));
        assertThat(allows(table, "api:list", "reader")).isTrue();
        assertThat(allows(table, "api:list", "admin")).isFalse();
        assertThat(allows(table, "api:change", "nobody")).isTrue();
        assertThat(noted).containsExactlyInAnyOrder(
                "rule api:lists: there is no such operation; it is ignored",
                "rule api:list, column 6: there is no rule viewers; it never holds",
                "rule api:change, column 10: there is no rule viewers; it never holds");
    }

    @Test
    void replacesUnknownReferencesByTheRuleDefault() {
        RuleTable table = table(
                Map.of("default", "role:owner", "api:list", "rule:viewers"), false, (wrong, effect) -> {});
        assertThat(allows(table, "api:list", "owner")).isTrue();
        assertThat(allows(table, "api:list", "reader")).isFalse();
    }

    /** oslo.policy fails on such a rule when it evaluates it: a negation must not admit a caller. */
    @Test
    void aCircularReferenceNeverHoldsEvenIfNegated() {
        List<String> noted = new ArrayList<>();
        RuleTable table = table(
                Map.of("x", "not rule:y", "y", "not rule:x", "api:list", "role:reader or not rule:x", "api:change",
                        "rule:y"), false, (wrong, effect) -> noted.add(wrong.getMessage()));
        assertThat(allows(table, "api:list", "reader")).isTrue();
        assertThat(allows(table, "api:list", "admin")).isFalse();
        assertThat(allows(table, "api:change", "admin")).isFalse();
        assertThat(noted).hasSize(1).first().asString().contains("in a circle");
    }

    @Test
    void theNegationOfAnUnsupportedCheckAllowsNoCaller() {
        RuleTable table = table(
                Map.of("elsewhere", "user_domain_id:default", "api:list", "not rule:elsewhere", "api:change",
                        "not (role:nobody or http://example.org/check)"),
                false, (wrong, effect) -> {});
        assertThat(allows(table, "api:list", "reader")).isFalse();
        assertThat(allows(table, "api:change", "reader")).isFalse();
    }

    @Test
    void failsForAnUnknownRule() {
        assertThatThrownBy(() -> table(Map.of(), false).get("api:gone")).isInstanceOf(IllegalArgumentException.class);
    }
}
