package io.berth.scheduler.boot;

import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.SettlementResult;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * One request that places instances, as it is recorded.
 * <pre>
 *            begins              all claims hold
 *   (none) ----------> Open ---------------------> Placed
 *      ^                |  ^                          |
 *      +----------------+  +--------------------------+
 *        undone: nothing      the client never got the response,
 *        of it is held        or what it placed is gone
 * </pre>
 *
 * @param instances in the order of the response
 * @param answer the response; while the record is open, that of the first claim as planned, or null
 * @param firstNumber first of the block of numbers with which the request writes its claims. Each later owner has a block of
 *     its own and only undoes
 * @param kept by instance that the record owns, what it holds beside the claim: provider uuid to resource class to amount
 */
record Boot(
        String key,
        String shape,
        List<UUID> instances,
        @Nullable String answer,
        String requestId,
        long firstNumber,
        State state,
        Map<UUID, Map<String, Map<String, Long>>> kept) {
    sealed interface State {}

    /**
     * Claims may be made, and are made or undone by its owner.
     *
     * @param number first of the owner's block of numbers; null without an owner
     * @param isWorkedOn whether the owner's lease has not ended
     * @param attempts to finish it that came to nothing
     */
    record Open(@Nullable Long number, boolean isWorkedOn, int attempts) implements State {}

    /** Its instances held what the response says. */
    record Placed() implements State {}

    boolean isOpen() {
        return state instanceof Open;
    }

    boolean isWorkedOn() {
        return state instanceof Open open && open.isWorkedOn();
    }

    /** First of the owner's block of numbers. Only for an open record with an owner. */
    long number() {
        return state instanceof Open(Long number, boolean _, int _) && number != null ? number : noOwner();
    }

    private long noOwner() {
        throw new IllegalStateException("nobody owns the record " + key);
    }

    /** Returns whether the last write of a consumer is a claim of this request. */
    boolean hasWritten(SettlementResult.Consumer consumer) {
        return consumer.isWrittenBy(firstNumber, FenceNumbers.lastClaimOf(firstNumber));
    }
}
