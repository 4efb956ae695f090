package io.berth.deploy.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import picocli.CommandLine.Option;

/**
 * A query that the scheduler computes until a deadline: {@code --timeout}, or the scheduler's default. If the scheduler
 * could not finish in time, it marks the result as incomplete, and the command exits with status 4.
 */
abstract class TimedAnalysisCommand extends AnalysisCommand {
    private static final int TIMEOUT_SECONDS_MAX = 60;

    private final String path;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "end the computation after 1 to 60 seconds (10)")
    private @Nullable Integer timeoutSeconds;

    /** @param path path of the POST request, for example {@code /v1/capacity} */
    TimedAnalysisCommand(String path) {
        this.path = path;
    }

    /**
     * Returns the request body, without the timeout.
     *
     * @throws IllegalArgumentException if the arguments are invalid; the message is one line for the user
     */
    abstract ObjectNode body();

    @Override
    final RestClient.Response query(RestClient scheduler) throws ApiFailure, InterruptedException {
        ObjectNode body = body();
        if (timeoutSeconds != null) {
            if (timeoutSeconds < 1 || timeoutSeconds > TIMEOUT_SECONDS_MAX) {
                throw new IllegalArgumentException("--timeout must be 1 to %d seconds, not %d"
                        .formatted(TIMEOUT_SECONDS_MAX, timeoutSeconds));
            }
            body.put("timeout_s", timeoutSeconds);
        }
        return scheduler.call("POST", path, body, 200);
    }
}
