package io.berth.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the layout of text tables. */
class TableTest {
    @Test
    void fitsItsContentAndWrapsTheLastColumn() {
        var table = new Table("host", "free", "reason")
                .row("az1-r1-h1", 12_345, "short")
                .row("h2", null,
                        "needs 56 VCPU, the best provider az2-r2-h8 has 37 free, which is less than what any of"
                                + " the flavors of this site wants");
        assertThat(String.join("\n", table.lines().stream().map(line -> line.substring(2)).toList())).isEqualTo("""
                  host         free  reason
                  az1-r1-h1  12,345  short
                  h2                 needs 56 VCPU, the best provider az2-r2-h8 has 37 free, which is less than
                                     what any of the flavors of this site wants""");
    }

    @Test
    void wrapsOtherLongColumnsToTheMaximumWidth() {
        var table = new Table("host", "removed by", "reason")
                .row("az1-r1-h1" + "-of-a-long-name".repeat(7), "ComputeFilter",
                        "the service of its host has not beaten for a minute");
        assertThat(String.join("\n", table.lines().stream().map(line -> line.substring(2)).toList())).isEqualTo("""
                  host                                                          removed by     reason
                  az1-r1-h1-of-a-long-name-of-a-long-name-of-a-long-name-of-a-  ComputeFilter  the service of its
                  long-name-of-a-long-name-of-a-long-name-of-a-long-name                       host has not beaten
                                                                                               for a minute""");
        assertThat(table.lines()).allMatch(line -> line.length() <= PlainText.COLUMNS_MAX);
    }

    @Test
    void countsTheRowsBeyondItsLimit() {
        var table = new Table(2, "host", "free").row("h1", 1).row("h2", 1_000).row("h3", 3).addOmitted(2_000);
        assertThat(table.lines())
                .containsExactly("  host   free", "  h1        1", "  h2    1,000", "  … and 2,001 more");
    }

    @Test
    void alignsWideAndCombiningCharacters() {
        var table = new Table("host", "zone").row("東京", "a").row("e\u0301", "b").row("\ud83d\ude00", "c")
                .row("host", "d");
        assertThat(table.lines())
                .containsExactly("  host  zone", "  東京  a", "  e\u0301     b", "  \ud83d\ude00    c", "  host  d");
    }
}
