package io.berth.deploy.ask;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Calls {@code GET /v1/decisions/{id}}, which takes an instance for its newest decision. */
@Command(
        name = "why",
        header = "why an instance is where it is, or nowhere",
        description = {"", "Why an instance is where it is, or nowhere: the decision as it was made.", ""})
public final class WhyCommand extends Question {
    @Parameters(paramLabel = "INSTANCE|DECISION", description = "name or uuid; an instance stands for its newest decision")
    private String meant;

    @Override
    RestClient.Answer ask(RestClient scheduler) throws ApiFailure, InterruptedException {
        return scheduler.read("/v1/decisions/" + RestClient.encoded(meant));
    }
}
