package io.berth.identity.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the parsing of policy files. */
class PolicyFileTest {
    @Test
    void readsFilesThatOsloPolicyGenerates() {
        assertThat(PolicyFile.parse("""
                # Show trait.
                # GET  /traits/{name}
                #"placement:traits:show": "rule:admin_or_service_api"

                "placement:traits:list": "role:reader or
                   role:admin"
                placement:traits:show: rule:viewer
                viewer: '@'
                """, PolicyFaults.REFUSE)).isEqualTo(Map.of(
                "placement:traits:list", text("role:reader or role:admin"),
                "placement:traits:show", text("rule:viewer"),
                "viewer", text("@")));
    }

    @Test
    void readsJson() {
        assertThat(PolicyFile.parse("{\"a:b\": \"role:x\", \"c\": \"\"}", PolicyFaults.REFUSE))
                .isEqualTo(Map.of("a:b", text("role:x"), "c", text("")));
    }

    private static RuleDefinition text(String text) {
        return new RuleDefinition.Text(text);
    }

    /** Lists of lists are oslo.policy's old form of rules. */
    @ParameterizedTest(name = "{0}")
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "a: [[role:x, role:y], [role:z]] | [[role:x, role:y], [role:z]]",
        "a: [role:x, '@', []]            | [[role:x], [@], []]",
        "a: []                           | []",
        "a: [[]]                         | [[]]",
        "a: {role: x}                    | [[role]]",
        "a: [{role: x}, [[b], 1]]        | [[role], [[], 1]]",
    })
    void readsListsOfLists(String file, String lists) {
        assertThat(PolicyFile.parse(file, PolicyFaults.REFUSE).get("a"))
                .isInstanceOfSatisfying(RuleDefinition.AnyOf.class,
                        rule -> assertThat(rule.lists()).hasToString(lists));
    }

    /** oslo.policy accepts such rules without a warning. */
    @ParameterizedTest
    @ValueSource(strings = {"a:", "a: null", "a: !", "a: false", "a: 0"})
    void reportsAnEmptyRuleWhichAllowsEveryCaller(String file) {
        List<String> noted = new ArrayList<>();
        assertThat(PolicyFile.parse(file, (wrong, effect) -> noted.add(wrong.getMessage() + "; " + effect)))
                .isEqualTo(Map.of("a", text("@")));
        assertThat(noted).containsExactly(
                "line 1: rule a is empty: \"@\" allows every caller, \"!\" none; both need the quotes; it allows"
                        + " every caller");
    }

    @Test
    void usesTheLastDefinitionOfADuplicateRuleUnlessStrict() {
        List<String> noted = new ArrayList<>();
        assertThat(PolicyFile.parse("a: role:x\na: role:z\n", (wrong, effect) -> noted.add(effect)))
                .isEqualTo(Map.of("a", text("role:z")));
        assertThat(noted).containsExactly("the last counts");
    }

    @Test
    void anEmptyFileHasNoRules() {
        assertThat(PolicyFile.parse("", PolicyFaults.REFUSE)).isEmpty();
        assertThat(PolicyFile.parse("# only a comment\n", PolicyFaults.REFUSE)).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "a list                  | - role:x                 | line 1: a policy file maps rule names to rules",
        "a rule that is a number | a: 17                    | line 1: rule a must be text or a list of lists of texts",
        "a list with a number    | a: [17]                  | line 1: rule a must be text or a list of lists of texts",
        "a rule without text     | a:                       | rule a is empty",
        "an unquoted !           | a: !                     | rule a is empty",
        "an unquoted @           | a: @                     | line 1, column 4: not YAML",
        "text that never ends    | a: \"role:x              | not YAML",
        "an object               | a: !!java.io.File [x]    | line 1, column 4: not YAML",
    })
    void refusesInvalidFiles(String name, String text, String why) {
        assertThatThrownBy(() -> PolicyFile.parse(text, PolicyFaults.REFUSE)).isInstanceOf(PolicyFault.class)
                .hasMessageContaining(why);
    }

    @Test
    void refusesADuplicateRuleIfStrict() {
        assertThatThrownBy(() -> PolicyFile.parse("a: role:x\nb: role:y\na: role:z\n", PolicyFaults.REFUSE))
                .hasMessage("line 3: rule a is stated twice");
    }
}
