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

/**
 * Tests that analysis commands print the scheduler's text and exit with its outcome, against a scheduler that is
 * simulated over HTTP.
 */
class AnalysisCommandTest {
    private static final String TEXT = "h1: rejected\n\n  Zoë … and 3 more\n";
    private static final Map<String, String> RESPONSES = new HashMap<>();

    static {
        for (String target : List.of(
                "/v1/explanations", "/v1/capacity", "/v1/what_if", "/v1/shadow?limit=20", "/v1/decisions/d1",
                "/v1/decisions/web%201")) {
            RESPONSES.put(target, "{\"hosts\": []}");
            RESPONSES.put("text " + target, TEXT);
        }
    }

    private static Said run(String outcome, String... args) throws Exception {
        try (var scheduler = PlayedScheduler.with(RESPONSES).answering(outcome)) {
            return Said.by(Stream.concat(Stream.of(args), Stream.of("--scheduler", scheduler.url(), "--token", "t"))
                    .toArray(String[]::new));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "why,web 1", "why,d1", "why-not,h1,--flavor,1:64", "how-many,1:64", "drain,h1",
        "what-if,1:64,--disable,h1", "shadow"})
    void printsTheTextOrJsonThatTheSchedulerReturns(String command) throws Exception {
        Said result = run("yes", command.split(","));
        assertThat(result.out()).isEqualTo(TEXT);
        assertThat(result.status()).isZero();
        Said json = run("no", (command + ",--json").split(","));
        assertThat(json.out()).isEqualTo("{%n  \"hosts\" : [ ]%n}%n".formatted());
        assertThat(json.status()).isEqualTo(3);
    }

    @ParameterizedTest
    @CsvSource({"yes, 0", "no, 3", "incomplete, 4"})
    void exitStatusFollowsTheOutcome(String outcome, int status) throws Exception {
        assertThat(run(outcome, "how-many", "1:64").status()).isEqualTo(status);
    }

    @Test
    void failsIfTheSchedulerReturnsNoOutcome() throws Exception {
        Said result = run(null, "how-many", "1:64");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.err()).hasLineCount(1).contains("older than this command");
    }

    @Test
    void reportsAnErrorInOneLine() throws Exception {
        Said result = run("yes", "shadow", "--limit", "3");
        assertThat(result.status()).isEqualTo(1);
        assertThat(result.out()).isEmpty();
        assertThat(result.err()).hasLineCount(1).endsWith(" answered 404: nothing of the kind\n");
    }
}
