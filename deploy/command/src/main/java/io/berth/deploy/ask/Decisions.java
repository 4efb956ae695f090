package io.berth.deploy.ask;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;

/** Reads the records of decisions. */
public final class Decisions {
    private static final String PATH = "/v1/decisions";

    private Decisions() {}

    /** @param meant the uuid of a decision, or the name or uuid of an instance, which means its newest decision */
    public static RestClient.Answer find(RestClient scheduler, String meant) throws ApiFailure, InterruptedException {
        RestClient.Answer decision = scheduler.ask(PATH + "/" + RestClient.encoded(meant));
        if (decision.status() == 200) {
            return decision;
        }
        String newest = scheduler.get(PATH + "?limit=1&instance=" + RestClient.encoded(meant))
                .path("decisions").path(0).path("decision_id").asText();
        if (newest.isEmpty()) {
            throw new ApiFailure(meant + " is no decision on record, and no instance of one (records are kept for a while:"
                    + " berth.scheduler.decisions.keep)");
        }
        return scheduler.read(PATH + "/" + newest);
    }
}
