package io.berth.scheduler.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.job.TextSample;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the text of drain and move proposals with samples in the test's resources. */
class ProposalTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"room", "hosts", "spread"})
    void laysOutAProposalInLessThan100Columns(String file) throws IOException {
        TextSample sample = TextSample.read(getClass(), file);
        String text = ProposalText.of(sample.json());
        assertThat(text).isEqualTo(sample.text());
        assertThat(text.lines()).allMatch(line -> line.length() < 100);
    }
}
