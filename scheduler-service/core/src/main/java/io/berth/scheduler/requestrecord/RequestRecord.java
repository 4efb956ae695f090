package io.berth.scheduler.requestrecord;

import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.SettlementResult;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The record of one request that places instances.
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
 * @param answer the response; while the record is open, the precomputed response for the first claim, or null
 * @param firstNumber first of the block of fence numbers with which the request writes its claims. Each later owner
 *     has a block of its own and only rolls back
 * @param kept by instance that the record owns, the allocations it holds besides the claim: provider uuid to resource
 *     class to amount
 */
record RequestRecord(
        String key,
        String fingerprint,
        List<UUID> instances,
        @Nullable String answer,
        String requestId,
        long firstNumber,
        State state,
        Map<UUID, Map<String, Map<String, Long>>> kept) {
    sealed interface State {}

    /**
     * The owner may still make claims, or roll them back.
     *
     * @param number first of the owner's block of numbers; null without an owner
     * @param isWorkedOn whether the owner's lease has not expired
     * @param attempts failed attempts to finish the record
     */
    record Open(@Nullable Long number, boolean isWorkedOn, int attempts) implements State {}

    /** The instances held the allocations in the response when the record was closed. */
    record Placed() implements State {}

    boolean isOpen() {
        return state instanceof Open;
    }

    boolean isWorkedOn() {
        return state instanceof Open open && open.isWorkedOn();
    }

    /** Returns the first of the owner's block of numbers. Call it only on an open record with an owner. */
    long number() {
        return state instanceof Open(Long number, boolean _, int _) && number != null ? number : noOwner();
    }

    private long noOwner() {
        throw new IllegalStateException("the record has no owner: " + key);
    }

    /** Returns whether the last write of a consumer is a claim of this request. */
    boolean hasWritten(SettlementResult.Consumer consumer) {
        return consumer.isWrittenBy(firstNumber, FenceNumbers.lastClaimOf(firstNumber));
    }
}
