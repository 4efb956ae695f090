package io.berth.scheduler.record;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the text of decision records with samples in the test's resources. */
class DecisionTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"selected", "refused", "tenant", "many"})
    void laysOutAResponseInLessThan100Columns(String file) throws IOException {
        String text = DecisionText.of(new ObjectMapper().readTree(resource(file + ".json")));
        assertThat(text).isEqualTo(resource(file + ".txt"));
        assertThat(text.lines()).allMatch(line -> line.length() < 100 || line.strip().startsWith("{"));
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = DecisionTextTest.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
