package io.berth.identity.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.berth.identity.Caller;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the parser of policy rules and the evaluation of their checks. */
class CheckParserTest {
    private static final Caller READER = Caller.ofProject("u1", "p1", Set.of("reader", "Member"));
    private static final Target OF_P1 = new Target("p1", null);

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(quoteCharacter = '`', value = {
        "@, true",
        "!, false",
        "``, true",
        "role:reader, true",
        "role:READER, true",
        "role:member, true",
        "role:admin, false",
        "not role:admin, true",
        "NOT role:admin AND role:reader, true",
        "not not role:reader, true",
        "role:admin or role:reader and role:nobody, false",
        "role:reader or role:nobody and role:nobody, true",
        "(role:admin or role:reader) and role:member, true",
        "not (role:admin or role:reader), false",
        "((role:reader)), true",
        "user_id:u1, true",
        "user_id:u2, false",
        "project_id:p1, true",
        "project_id:%(project_id)s, true",
        "user_id:%(user_id)s, false",
        "system_scope:all, false",
        "domain_id:d1, false",
        "'p1':%(project_id)s, true",
        "\"p2\":%(project_id)s, false",
        "True:True, true",
        "17:17, true",
        "None:%(user_id)s, false",
        "project_id:p%(user_id)s, false",
    })
    void evaluatesRulesForAReaderOfProjectP1(String rule, boolean holds) {
        assertThat(CheckParser.parse(rule, PolicyFaults.REFUSE).holds(READER, OF_P1)).isEqualTo(holds);
    }

    @Test
    void evaluatesSystemAndDomainScopes() {
        assertThat(CheckParser.parse("system_scope:all", PolicyFaults.REFUSE)
                .holds(Caller.ofSystem("u", Set.of()), OF_P1)).isTrue();
        Caller domain = new Caller("u", null, "d1", Set.of(), false);
        assertThat(CheckParser.parse("domain_id:d1", PolicyFaults.REFUSE).holds(domain, OF_P1)).isTrue();
        assertThat(CheckParser.parse("project_id:%(project_id)s", PolicyFaults.REFUSE).holds(domain, OF_P1)).isFalse();
    }

    @ParameterizedTest(name = "{0} is refused at column {1}")
    @CsvSource(quoteCharacter = '`', value = {
        "role:admin or, 14, a check is missing at the end",
        "role:admin role:x, 12, where 'and'",
        "and role:admin, 1, where a check was expected",
        "(role:admin, 1, never closed",
        "role:admin), 11, where 'and'",
        "role:a or (role:b and (role:c or role:d), 11, never closed",
        "role:a and admin, 12, must be KIND",
        "role:, 1, must be KIND",
        ":x, 1, must be KIND",
        "is_admin:1, 1, must be one of rule",
        "role:a or projectid:%(project_id)s, 11, 'projectid': must be one of",
        "http://example.org/check, 1, by http are not supported",
        "project_id:%(tenant)s, 12, unknown placeholder %(tenant)s",
        "project_id:%project_id, 12, % must be followed by",
        "role:a and 'b:c', 12, where a check was expected",
        "`  `, 3, a check is missing at the end",
    })
    void refusesInvalidRulesWithTheColumn(String rule, int column, String why) {
        assertThatThrownBy(() -> CheckParser.parse(rule, PolicyFaults.REFUSE))
                .isInstanceOf(PolicyFault.class)
                .hasMessageContaining(why)
                .extracting(thrown -> ((PolicyFault) thrown).column())
                .isEqualTo(column);
    }

    /** Results as in oslo.policy; a rule on which it fails, or which it would check remotely, admits no caller. */
    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(quoteCharacter = '`', value = {
        "role:reader or admin, true",
        "role:reader and admin, false",
        "not admin, true",
        "role:reader or, false",
        "role:reader role:member, false",
        "(role:reader, false",
        "role:reader or 'quoted', false",
        "`  `, false",
        "role:reader or project_id:%(tenant)s, true",
        "not project_id:%(tenant)s, true",
        "role:reader or colour:red, true",
        "not colour:red, true",
        "role:reader or is_admin:True, true",
        "not is_admin:True, false",
        "not (role:admin or is_admin:True), false",
        "user_domain_id:default, false",
        "not user_domain_id:default, false",
        "http://example.org/check or role:reader, true",
        "project_id:%project_id, false",
    })
    void evaluatesInvalidRulesLikeOsloPolicy(String rule, boolean holds) {
        List<String> faults = new ArrayList<>();
        Check check = CheckParser.parse(rule, (wrong, effect) -> faults.add(wrong.getMessage()));
        assertThat(faults).hasSize(1);
        assertThat(check.holds(READER, OF_P1)).isEqualTo(holds);
    }

    @ParameterizedTest(name = "{0} -> {1}")
    @CsvSource(quoteCharacter = '`', delimiter = ';', value = {
        "role:reader; true",
        "role:admin; false",
        "role:admin,role:member; false",
        "role:reader,role:member; true",
        "role:admin|role:reader; true",
        "@; true",
        "!; false",
        "admin|role:reader; true",
        "role:reader or role:admin; false",
    })
    void readsListsOfLists(String lists, boolean holds) {
        var rule = new RuleDefinition.AnyOf(Arrays.stream(lists.split("\\|")).map(list -> List.of(list.split(",")))
                .toList());
        assertThat(CheckParser.parse(rule, (wrong, effect) -> {}).holds(READER, OF_P1)).isEqualTo(holds);
    }

    @Test
    void anEmptyListAllowsEveryCallerAndAListOfEmptyListsNone() {
        assertThat(CheckParser.parse(new RuleDefinition.AnyOf(List.of()), PolicyFaults.REFUSE).holds(READER, OF_P1))
                .isTrue();
        assertThat(CheckParser.parse(new RuleDefinition.AnyOf(List.of(List.of())), PolicyFaults.REFUSE)
                .holds(READER, OF_P1)).isFalse();
    }

    @Test
    void refusesDeepNesting() {
        assertThatThrownBy(
                () -> CheckParser.parse("(".repeat(100_000) + "role:a" + ")".repeat(100_000), PolicyFaults.REFUSE))
                .isInstanceOf(PolicyFault.class)
                .hasMessageContaining("nested deeper than 50");
        assertThatThrownBy(() -> CheckParser.parse("not ".repeat(100_000) + "role:a", PolicyFaults.REFUSE))
                .isInstanceOf(PolicyFault.class);
    }
}
