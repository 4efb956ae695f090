package io.berth.scheduler.scenario;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.job.Snapshot;

/**
 * One part of a what-if analysis. Its result is computed for the present and for the changed cloud, and the two results
 * are compared.
 */
interface Part {
    /** Returns the name of the part's member in {@code ask}, and in the objects of the response. */
    String name();

    /**
     * Computes the result for one cloud. Blocks; for the analysis worker only. Throws ApiFault if no result is
     * possible, for example because a host in the body does not exist.
     *
     * @param gaps receives descriptions of what is missing in the result
     */
    JsonNode evaluate(Snapshot cloud, Gaps gaps);

    /**
     * Returns the difference between two results of {@link #evaluate}. Throws ApiFault with the path of a request in
     * the body that is invalid in both clouds.
     *
     * @param before the result for the present cloud
     * @param after the result for the changed cloud
     * @param changed the changed cloud
     */
    JsonNode difference(JsonNode before, JsonNode after, Snapshot changed);
}
