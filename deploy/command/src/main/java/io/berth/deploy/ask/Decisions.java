package io.berth.deploy.ask;

import io.berth.deploy.http.ApiFailure;
import io.berth.deploy.http.RestClient;

/** Finds a decision record of the scheduler by decision or by instance. */
public final class Decisions {
    private static final String PATH = "/v1/decisions";

    private Decisions() {}

    /**
     * Returns the response of {@code GET /v1/decisions/{id}}, always with status 200.
     *
     * @param meant the uuid of a decision; or the name or uuid of an instance, for the newest decision about the
     *         instance
     * @throws ApiFailure if no record matches, or if the scheduler responds with an error or not at all
     */
    public static RestClient.Answer find(RestClient scheduler, String meant) throws ApiFailure, InterruptedException {
        RestClient.Answer decision = scheduler.ask(PATH + "/" + RestClient.encoded(meant));
        if (decision.status() == 200) {
            return decision;
        }
        String newest = scheduler.get(PATH + "?limit=1&instance=" + RestClient.encoded(meant))
                .path("decisions").path(0).path("decision_id").asText();
        if (newest.isEmpty()) {
            throw new ApiFailure(meant + " is neither a recorded decision nor an instance of one"
                    + " (berth.scheduler.decisions.keep limits how long records are kept)");
        }
        return scheduler.read(PATH + "/" + newest);
    }
}
