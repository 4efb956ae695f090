package io.berth.scheduler.selection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.claim.ClaimCandidate;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/**
 * A request to claim an alternate after a failed build.
 * <br>Source: nova {@code compute/build_results.py} (RESCHEDULED_BY_POLICY).
 *
 * @param projectId null if unknown
 * @param userId null if unknown
 * @param failed the selection whose host failed, as select_destinations returned it
 * @param alternates the alternates that remain, in order
 * @param isRefusedByPolicy whether the host refused the build because of the policy of the instance's server group;
 *     such a build does not count as failed
 */
public record RescheduleRequest(
        UUID instanceUuid,
        @Nullable String projectId,
        @Nullable String userId,
        Candidate failed,
        List<ClaimCandidate<Candidate>> alternates,
        boolean isRefusedByPolicy) {
    /**
     * A selection as the client received it.
     *
     * @param nodename null if the client's JSON does not contain it
     * @param selection the JSON of the selection, which the response repeats
     */
    public record Candidate(String host, @Nullable String nodename, JsonNode selection, AllocationRequest request) {
        /** Returns host and node as the members of a registration, as JSON text. */
        String placeJson() {
            ObjectNode place = JsonNodeFactory.instance.objectNode();
            place.put("host", host);
            if (nodename != null) {
                place.put("nodename", nodename);
            }
            return place.toString();
        }
    }
}
