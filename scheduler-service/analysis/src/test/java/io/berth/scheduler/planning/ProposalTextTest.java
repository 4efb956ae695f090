package io.berth.scheduler.planning;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proposals as JSON and what a person sees of them, side by side in the test's resources. */
class ProposalTextTest {
    @ParameterizedTest
    @ValueSource(strings = {"room", "hosts", "spread"})
    void laysOutAProposalInLessThan100Columns(String file) throws IOException {
        String text = ProposalText.of(new ObjectMapper().readTree(resource(file + ".json")));
        assertThat(text).isEqualTo(resource(file + ".txt"));
        assertThat(text.lines()).allMatch(line -> line.length() < 100);
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = ProposalTextTest.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
