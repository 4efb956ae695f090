package io.berth.scheduler.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.scheduler.job.TextSample;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the text of capacity responses with samples in the test's resources. */
class CapacityTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"zones", "incomplete"})
    void laysOutAResponseInLessThan100Columns(String file) throws IOException {
        TextSample sample = TextSample.read(getClass(), file);
        String text = CapacityText.of(sample.json());
        assertThat(text).isEqualTo(sample.text());
        assertThat(text.lines()).allMatch(line -> line.length() < 100 || line.strip().startsWith("{"));
    }
}
