package io.berth.deploy.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.command.Said;
import io.berth.deploy.list.PlayedScheduler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions print the scheduler's text and exit with its outcome. */
class AnalysisCommandTest {
    private static final String TEXT = "h1: rejected\n\n  Zoë … and 3 more\n";
    private static final Map<String, String> ANSWERS = new HashMap<>();

    static {
        for (String target : List.of(
                "/v1/explanations", "/v1/capacity", "/v1/what_if", "/v1/shadow?limit=20", "/v1/decisions/d1",
                "/v1/decisions/web%201")) {
            ANSWERS.put(target, "{\"hosts\": []}");
            ANSWERS.put("text " + target, TEXT);
        }
    }

    private static Said said(String outcome, String... args) throws Exception {
        try (var scheduler = PlayedScheduler.with(ANSWERS).answering(outcome)) {
            return Said.by(Stream.concat(Stream.of(args), Stream.of("--scheduler", scheduler.url(), "--token", "t"))
                    .toArray(String[]::new));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "why,web 1", "why,d1", "why-not,h1,--flavor,1:64", "how-many,1:64", "drain,h1",
        "what-if,1:64,--disable,h1", "shadow"})
    void printTheTextOfTheScheduler(String command) throws Exception {
        Said said = said("yes", command.split(","));
        assertThat(said.out()).isEqualTo(TEXT);
        assertThat(said.status()).isZero();
        Said json = said("no", (command + ",--json").split(","));
        assertThat(json.out()).isEqualTo("{%n  \"hosts\" : [ ]%n}%n".formatted());
        assertThat(json.status()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"yes, 0", "no, 3", "incomplete, 4"})
    void exitWithTheOutcome(String outcome, int status) throws Exception {
        assertThat(said(outcome, "how-many", "1:64").status()).isEqualTo(status);
    }

    @Test
    void failWhereTheSchedulerGivesNoOutcome() throws Exception {
        Said said = said(null, "how-many", "1:64");
        assertThat(said.status()).isEqualTo(1);
        assertThat(said.err()).hasLineCount(1).contains("older than this command");
    }

    @Test
    void reportAnErrorInOneLine() throws Exception {
        Said said = said("yes", "shadow", "--limit", "3");
        assertThat(said.status()).isEqualTo(1);
        assertThat(said.out()).isEmpty();
        assertThat(said.err()).hasLineCount(1).endsWith(" answered 404: nothing of the kind\n");
    }
}
