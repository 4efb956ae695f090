package io.berth.deploy.load.mark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests the verdicts of marks and the tables that show them. */
class MarkTest {
    @ParameterizedTest(name = "{0} of at {1} {2}: {3}")
    @CsvSource({
        "3.0,  least, 3, HOLDS",
        "2.99, least, 3, MISSED",
        "1.5,  most, 1.5, HOLDS",
        "1.51, most, 1.5, MISSED",
        "NaN,  most, 1.5, NOT_MEASURED",
        "NaN,  least, 3, NOT_MEASURED"})
    void aMarkHoldsIfItEqualsItsTarget(double ratio, String bound, double wanted, Mark.Verdict verdict) {
        Mark mark = bound.equals("most")
                ? Mark.atMost("x", "y", "", ratio, wanted)
                : Mark.atLeast("x", "y", "", ratio, wanted);
        assertThat(mark.verdict()).isEqualTo(verdict);
    }

    @Test
    void theTableHasOneLineForEachMark() {
        assertThat(
                MarkTable.markdown(List.of(
                        Mark.atLeast("claims", "6,100/s", "pgbench: 2,000/s", 3.05, 3),
                        Mark.atMost("p99", "61.2 ms", "", 61.2, 50),
                        Mark.notMeasured("memory", "not watched", 512, true))))
                .isEqualTo("""
                        | what | measured | compared with | ratio | target | verdict |
                        |---|---|---|---|---|---|
                        | claims | 6,100/s | pgbench: 2,000/s | 3.05 | at least 3 | holds |
                        | p99 | 61.2 ms |  | 61 | at most 50 | missed |
                        | memory | not watched |  | - | at most 512 | not measured |
                        """);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "0.8,  at least 0.80",
        "0.95, at least 0.95",
        "1.2,  at least 1.20",
        "3,    at least 3",
        "1500, 'at least 1,500'"})
    void aTargetIsTheSameWhetherOrNotItWasMeasured(double target, String text) {
        assertThat(Mark.notMeasured("x", "no scheduler", target, false).targetText()).isEqualTo(text);
        assertThat(Mark.atLeast("x", "y", "", 1, target).targetText()).isEqualTo(text);
    }

    @Test
    void aLineOfTextBeginsWithTheVerdict() {
        assertThat(MarkTable.text(Mark.atMost("50,000 hosts", "5.00 ms", "1,000 hosts: 4.00 ms", 1.25, 1.5)))
                .isEqualTo("mark: holds        50,000 hosts: 1.25 (at most 1.50); 1,000 hosts: 4.00 ms, 5.00 ms");
    }
}
