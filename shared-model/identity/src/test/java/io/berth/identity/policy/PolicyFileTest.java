package io.berth.identity.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyFileTest {
    @Test
    void readsWhatOsloPolicyGenerates() {
        assertThat(PolicyFile.parse("""
                # Show trait.
                # GET  /traits/{name}
                #"placement:traits:show": "rule:admin_or_service_api"

                "placement:traits:list": "role:reader or
                   role:admin"
                placement:traits:show: rule:viewer
                viewer: '@'
                """)).isEqualTo(Map.of(
                "placement:traits:list", "role:reader or role:admin",
                "placement:traits:show", "rule:viewer",
                "viewer", "@"));
    }

    @Test
    void readsJson() {
        assertThat(PolicyFile.parse("{\"a:b\": \"role:x\", \"c\": \"\"}")).isEqualTo(Map.of("a:b", "role:x", "c", ""));
    }

    @Test
    void anEmptyFileStatesNothing() {
        assertThat(PolicyFile.parse("")).isEmpty();
        assertThat(PolicyFile.parse("# only a comment\n")).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(quoteCharacter = '`', delimiter = '|', value = {
        "a list                  | - role:x                 | line 1: a policy file maps rule names to rules",
        "a rule that is a list   | a: [[role:x]]            | line 1: rule a must be text, not a list or a mapping",
        "a rule without text     | a:                       | rule a is empty",
        "an unquoted !           | a: !                     | rule a is empty",
        "an unquoted @           | a: @                     | line 1, column 4: not YAML",
        "text that never ends    | a: \"role:x              | not YAML",
        "an object               | a: !!java.io.File [x]    | line 1, column 4: not YAML",
    })
    void refuses(String name, String text, String why) {
        assertThatThrownBy(() -> PolicyFile.parse(text)).isInstanceOf(RuleInvalid.class).hasMessageContaining(why);
    }

    @Test
    void refusesARuleStatedTwice() {
        assertThatThrownBy(() -> PolicyFile.parse("a: role:x\nb: role:y\na: role:z\n"))
                .hasMessage("line 3: rule a is stated twice");
    }
}
