package io.berth.scheduler.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.Written;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how numbers and values are parsed and written as Python does. */
class TextTest {
    @ParameterizedTest
    @CsvSource({"' 1_0.5e1 ', 105", ".5, 0.5", "5., 5", "-INF, -Infinity", "infinity, Infinity", "+3, 3"})
    void parsesNumbersLikePython(String text, double number) {
        assertThat(NumberText.parse(text)).isEqualTo(number);
    }

    @ParameterizedTest
    @CsvSource({"''", "abc", "5f", "5d", "0x10", "1__0", "_1", "1_", "1e", ".", "'1 2'"})
    void refusesNumbersThatPythonRefuses(String text) {
        assertThat(NumberText.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2012000 | 2012000", "2.0 | 2.0", "1e16 | 1e+16", "123456789012345.0 | 123456789012345.0", "0.0001 | 0.0001",
        "0.00001 | 1e-05", "true | True", "[] | []", "[1, 2.5] | [1, 2.5]"
    })
    void writesValuesLikePython(String json, String text) {
        assertThat(ValueText.of(Written.json(json))).isEqualTo(text);
    }

    @Test
    void quotesTheStringsOfAList() {
        assertThat(ValueText.of(Written.json("[\"aes\", \"mmx\"]"))).isEqualTo("['aes', 'mmx']");
    }

    @Test
    void splitsNamedNumbersAtTheFirstEqualsSign() {
        NamedNumbers parsed = NamedNumbers.parse(List.of(" m1=1", "a=b=c", "=5", "m2", "m3=-1e2", "m3=2"));

        assertThat(parsed.entries()).containsExactly(
                new NamedNumbers.Entry(" m1", 1), new NamedNumbers.Entry("m3", -100), new NamedNumbers.Entry("m3", 2));
        assertThat(parsed.dropped()).containsExactly("a=b=c", "=5", "m2");
    }
}
