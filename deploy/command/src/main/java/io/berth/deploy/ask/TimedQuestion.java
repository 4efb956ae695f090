package io.berth.deploy.ask;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import picocli.CommandLine.Option;

/** A command whose result is as complete as the scheduler's time allows. */
abstract class TimedQuestion extends Question {
    private static final int TIMEOUT_MAX = 60;

    private final String path;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "1 to 60 (10)")
    private Integer timeout;

    /** @param path of the POST */
    TimedQuestion(String path) {
        this.path = path;
    }

    /** @throws IllegalArgumentException with one line for the user */
    abstract ObjectNode body();

    @Override
    final RestClient.Answer ask(RestClient scheduler) throws ApiFailure, InterruptedException {
        ObjectNode body = body();
        if (timeout != null) {
            if (timeout < 1 || timeout > TIMEOUT_MAX) {
                throw new IllegalArgumentException("--timeout takes 1 to %d seconds, not %d".formatted(TIMEOUT_MAX, timeout));
            }
            body.put("timeout_s", timeout);
        }
        return scheduler.call("POST", path, body, 200);
    }
}
