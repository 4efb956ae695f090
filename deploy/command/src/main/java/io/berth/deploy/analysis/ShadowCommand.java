package io.berth.deploy.analysis;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import jakarta.annotation.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs {@code berth shadow}: prints, with {@code GET /v1/shadow}, how the decisions of a shadow (a scheduler that
 * decides beside nova-scheduler and changes nothing) differ from those of nova-scheduler.
 */
@Command(
        name = "shadow",
        header = "what Berth would choose beside nova-scheduler",
        description = {
            "",
            "Compares what Berth would have chosen with what nova-scheduler chose, on a scheduler that runs as its"
                    + " shadow (berth.nova.shadow).",
            ""
        })
public final class ShadowCommand extends AnalysisCommand {
    @Option(names = "--since", paramLabel = "TIME", description = "only requests since then: 2026-01-31T12:00:00Z")
    private @Nullable String since;

    @Option(names = "--limit", paramLabel = "COUNT",
            description = "print at most this many of the latest differences (default: ${DEFAULT-VALUE})")
    private int limit = 20;

    @Override
    RestClient.Response query(RestClient scheduler) throws ApiFailure, InterruptedException {
        return scheduler.getResponse("/v1/shadow?limit=" + limit
                + (since == null ? "" : "&since=" + RestClient.encoded(since)));
    }
}
