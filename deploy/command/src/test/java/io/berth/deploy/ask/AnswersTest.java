package io.berth.deploy.ask;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers of the scheduler and what a person sees of them, side by side in the test's resources. */
class AnswersTest {
    private static final Map<String, Question> QUESTIONS = Map.of("why", new WhyCommand(), "why-not", new WhyNotCommand(),
            "shadow", new ShadowCommand(),
            "how-many", new HowManyCommand(List.of("zone")), "drain", new DrainCommand());

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "why,      why-selected, true",
        "why,      why-refused,  false",
        "why-not,  why-not,      true",
        "how-many, how-many,     false",
        "drain,    drain,        false",
        "drain,    drain-unregistered, false",
        "shadow,   shadow,       false"})
    void areLaidOutInLessThan100Columns(String question, String file, boolean isYes) throws IOException {
        JsonNode answer = new ObjectMapper().readTree(resource(file + ".json"));
        var said = new StringWriter();
        QUESTIONS.get(question).print(answer, new PrintWriter(said, true));
        assertThat(said).hasToString(resource(file + ".txt"));
        assertThat(said.toString().lines()).allMatch(line -> line.length() < 100 || line.strip().startsWith("{"));
        assertThat(QUESTIONS.get(question).isYes(answer)).isEqualTo(isYes);
    }

    private static String resource(String name) throws IOException {
        try (InputStream file = AnswersTest.class.getResourceAsStream(name)) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
