package io.berth.deploy.analysis;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Runs {@code berth why}: prints the record of a decision, or of the newest decision about an instance. */
@Command(
        name = "why",
        header = "why an instance is where it is, or nowhere",
        description = {"", "Shows why an instance is on its host, or on none: the record of the decision.", ""})
public final class WhyCommand extends AnalysisCommand {
    @Parameters(paramLabel = "INSTANCE|DECISION",
            description = "name or uuid; for an instance, its newest decision is shown")
    private String instanceOrDecision;

    @Override
    RestClient.Response query(RestClient scheduler) throws ApiFailure, InterruptedException {
        return scheduler.getResponse("/v1/decisions/" + RestClient.encoded(instanceOrDecision));
    }
}
