package io.berth.scheduler.requestrecord;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.SettlementResult;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import jakarta.annotation.Nullable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The record of one request that places instances. The deletion of an instance has such a record, too, until the
 * deletion is finished.
 * <pre>
 *            begins              all claims hold
 *   (none) ----------> Open ---------------------> Placed
 *      ^                |  ^                          |
 *      +----------------+  +--------------------------+
 *        rolled back:         the client never got the response,
 *        nothing is held      or its allocations are gone
 * </pre>
 *
 * @param instances in the order of the response
 * @param answer the response. An open record has the precomputed response, which is sent if the first claim succeeds;
 *     null if the response could not be computed before the claim, or was invalidated
 * @param requestFirstNumber first number of the block of fence numbers with which the request writes its claims. Each
 *     later owner draws a block of its own, and makes no claims: it closes the record or rolls the claims back
 * @param heldBefore for each instance that the record owns, the earlier allocations that a rollback must leave to the
 *     instance: instance uuid to provider uuid to resource class to amount. Empty for an instance whose claim replaces
 *     its earlier allocations
 */
record RequestRecord(
        String key,
        String fingerprint,
        List<UUID> instances,
        @Nullable String answer,
        String requestId,
        long requestFirstNumber,
        State state,
        Map<UUID, Map<String, Map<String, Long>>> heldBefore) {
    sealed interface State {}

    /**
     * The owner may still make claims, or roll them back.
     *
     * @param ownerFirstNumber first number of the owner's block of fence numbers; null without an owner
     * @param isWorkedOn whether there is an owner whose lease has not expired
     * @param attempts failed attempts to finish the record
     */
    record Open(@Nullable Long ownerFirstNumber, boolean isWorkedOn, int attempts) implements State {}

    /** The instances held the allocations of the response when the record was closed. */
    record Placed() implements State {}

    /**
     * Returns the allocations that the stored response has for each instance, in the order of {@code instances}:
     * provider uuid to resource class to amount. The record must have a response.
     */
    List<Map<String, Map<String, Long>>> answeredAllocations() {
        JsonNode json = JsonBody.parse(Objects.requireNonNull(answer).getBytes(StandardCharsets.UTF_8));
        List<Map<String, Map<String, Long>>> all = new ArrayList<>();
        if (json.has("selection")) {
            all.add(allocations(json.get("selection")));
        }
        json.path("selections").forEach(ofInstance -> all.add(allocations(ofInstance.path(0))));
        return all;
    }

    private static Map<String, Map<String, Long>> allocations(JsonNode selection) {
        return AllocationRequest.readAllocations(selection.at("/allocation_request/allocations"));
    }

    boolean isOpen() {
        return state instanceof Open;
    }

    boolean isWorkedOn() {
        return state instanceof Open open && open.isWorkedOn();
    }

    /**
     * Returns the first number of the present owner's block of fence numbers. Differs from {@code requestFirstNumber}
     * if another owner has taken the record over from the request.
     *
     * @throws IllegalStateException for a record that is not open or has no owner
     */
    long ownerFirstNumber() {
        return state instanceof Open(Long number, boolean _, int _) && number != null ? number : noOwner();
    }

    private long noOwner() {
        throw new IllegalStateException("the record has no owner: " + key);
    }

    /** Returns whether the last write of a consumer was a claim of this request. */
    boolean hasWritten(SettlementResult.SettledConsumer consumer) {
        return consumer.isWrittenBy(requestFirstNumber, FenceNumbers.lastClaimOf(requestFirstNumber));
    }
}
