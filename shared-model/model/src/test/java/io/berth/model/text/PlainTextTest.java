package io.berth.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests how text for terminals is wrapped, escaped and formatted. */
class PlainTextTest {
    @Test
    void breaksWordsThatAreLongerThanALine() {
        assertThat(TextColumns.wrap("a" + "b".repeat(20) + " c", 10))
                .containsExactly("a" + "b".repeat(9), "b".repeat(10), "b c");
    }

    @Test
    void doesNotSplitCharacters() {
        String smile = "\ud83d\ude00";
        assertThat(TextColumns.wrap(smile.repeat(3), 5)).containsExactly(smile.repeat(2), smile);
        assertThat(TextColumns.wrap("東京", 1)).containsExactly("東", "京");
        assertThat(TextColumns.wrap("ae\u0301b", 2)).containsExactly("ae\u0301", "b");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "~a\n\t b~        | a b",
        "~a\u001b[31mb~   | a?[31mb",
        "~a\u202eb~       | a?b",
        "~a\ud800b~       | a?b",
        "~a\u2028b~       | a?b",
        "~Zoë 東京~        | Zoë 東京"})
    void replacesTerminalControlCharacters(String text, String shown) {
        assertThat(new PlainText().line(text)).hasToString(shown + "\n");
        assertThat(new Table("x").row(text).lines()).last().isEqualTo("  " + shown);
    }

    @Test
    void escapesControlCharactersInJson() {
        assertThat(new PlainText().json("  ", "{\"a\":\"Zoë\u202e\"}")).hasToString("  {\"a\":\"Zoë\\u202e\"}\n");
    }

    @Test
    void truncatesALongParagraph() {
        String text = new PlainText().item("    * ", "word ".repeat(100_000)).toString();
        assertThat(text.lines()).hasSizeLessThan(50).allMatch(line -> line.length() <= PlainText.COLUMNS_MAX);
        assertThat(text).startsWith("    * word").endsWith("…\n");
    }

    @Test
    void formatsNumbersIndependentlyOfTheLocale() {
        Locale before = Locale.getDefault();
        Locale.setDefault(Locale.GERMANY);
        try {
            assertThat(PlainText.format("%,d %.1f", 1_000, 0.5)).isEqualTo("1,000 0.5");
            assertThat(new Table("x").row(1_000).lines()).last().isEqualTo("  1,000");
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void separatesPartsAndCountsOmittedItems() {
        assertThat(new PlainText().gap().line("a").gap().indented("b").more(0, "").more(1_500, "hosts"))
                .hasToString("a\n\n  b\n  … and 1,500 more hosts\n");
    }
}
