package io.berth.scheduler.selection;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.UUID;

/**
 * What is to be claimed after a failed build.
 *
 * @param failed what was claimed on the host that failed: the selection as select_destinations answered it
 * @param alternates the selections behind it, in order
 * @param byPolicy whether the host refused the build by the policy of its server group: nothing failed there
 *     <br>Source: nova {@code compute/build_results.py} (RESCHEDULED_BY_POLICY).
 */
public record RescheduleRequest(
        UUID instanceUuid,
        String projectId,
        String userId,
        Candidate failed,
        List<Claimable<Candidate>> alternates,
        boolean byPolicy) {
    /** A selection as the caller got it. */
    public record Candidate(String host, @Nullable String nodename, JsonNode selection, AllocationRequest request) {
        /** Host and node as the registry keeps them of an instance, as JSON text. */
        String place() {
            ObjectNode place = JsonNodeFactory.instance.objectNode();
            place.put("host", host);
            if (nodename != null) {
                place.put("nodename", nodename);
            }
            return place.toString();
        }
    }
}
