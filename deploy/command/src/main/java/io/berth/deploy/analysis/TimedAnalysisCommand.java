package io.berth.deploy.analysis;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import picocli.CommandLine.Option;

/**
 * A query that the scheduler computes until a deadline ({@code --timeout}). A result that the scheduler could not
 * finish is marked as incomplete, and the command exits with status 4.
 */
abstract class TimedAnalysisCommand extends AnalysisCommand {
    private static final int TIMEOUT_MAX = 60;

    private final String path;

    @Option(names = "--timeout", paramLabel = "SECONDS", description = "end the computation after 1 to 60 seconds (10)")
    private Integer timeout;

    /** @param path of the POST request, without a host: {@code /v1/capacity} */
    TimedAnalysisCommand(String path) {
        this.path = path;
    }

    /**
     * Returns the request body, without the timeout.
     *
     * @throws IllegalArgumentException if the arguments are invalid, with one line for the user
     */
    abstract ObjectNode body();

    @Override
    final RestClient.Response query(RestClient scheduler) throws ApiFailure, InterruptedException {
        ObjectNode body = body();
        if (timeout != null) {
            if (timeout < 1 || timeout > TIMEOUT_MAX) {
                throw new IllegalArgumentException("--timeout must be 1 to %d seconds, not %d"
                        .formatted(TIMEOUT_MAX, timeout));
            }
            body.put("timeout_s", timeout);
        }
        return scheduler.call("POST", path, body, 200);
    }
}
