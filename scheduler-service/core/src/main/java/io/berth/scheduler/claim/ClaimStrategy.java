package io.berth.scheduler.claim;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.util.List;

/**
 * The steps by which the instances of one request claim their hosts, and by which the claims of a failed request are
 * rolled back. One object per request; its methods are called one after the other: {@link #begin}, the claims, then
 * {@link #completeAsPlanned} or {@link #complete}, or {@link #rollBackFailed} after a failure.
 */
public interface ClaimStrategy {
    /**
     * The first claim of a request, with the response that is sent if this claim holds.
     *
     * @param first the allocation request of the first claim, for {@link #announce}; the sum of all instances' requests
     *     if the instances are claimed together. A reschedule does not announce a claim, and has here the allocations
     *     on the failed host
     * @param answer the precomputed response for the case that the first claim holds; null if the response cannot be
     *     computed before the claim
     * @param registration the registration of the only instance on the host that is tried first, as JSON text; null if
     *     {@code answer} is null
     */
    record Plan(
            AllocationRequest first,
            @Nullable String answer,
            @Nullable String registration) {}

    /**
     * Returns whether the request has a record in the database, which lets another replica complete or roll back the
     * request. If true, {@link #begin} must be called before the first claim.
     */
    default boolean isRecorded() {
        return false;
    }

    /**
     * Lets concurrent requests of this replica count the first claim as used capacity before {@link #begin} completes.
     */
    default void announce(AllocationRequest first) {}

    /**
     * Writes the record of the request, if it has one.
     *
     * @return false if another request or move works on one of the instances, or if a record with the same idempotency
     *     key exists; then no claim may be made
     */
    default Uni<Boolean> begin(Plan plan) {
        return Uni.createFrom().item(true);
    }

    /**
     * Claims the first host of a ranked list whose claim holds.
     *
     * @param grouping the server group in which the instance reserves its place on a host before each claim; null
     *     without a group
     * @param attempts is notified of each attempt
     */
    <H> Uni<ClaimOutcome<H>> claimFirst(
            Consumer consumer, @Nullable Grouping<H> grouping, List<ClaimCandidate<H>> ranked,
            AttemptListener<H> attempts);

    /**
     * One instance of a request that is claimed together with others, and its host.
     *
     * @param grouping the server group in which the instance reserves its place on the host; null without a group
     */
    record Choice<H>(Consumer consumer, @Nullable Grouping<H> grouping, H host, AllocationRequest request) {}

    /**
     * Claims the hosts of all instances of a request in one write, all or none: {@link ClaimLoop#claimTogether}. Called
     * only for a request with several instances.
     */
    default <H> Uni<ClaimOutcome<List<H>>> claimTogether(List<Choice<H>> choices, AttemptListener<List<H>> attempts) {
        throw new UnsupportedOperationException("this strategy claims one instance per request");
    }

    /**
     * Called when the first claim holds, so that the precomputed response of {@link #begin} is valid.
     *
     * @return whether the record still has the precomputed response; if false, the caller must call {@link #complete}
     */
    default boolean completeAsPlanned() {
        return true;
    }

    /**
     * Records that all instances are claimed.
     *
     * @param answer the response to the client
     * @param registrations the registrations of the instances as JSON text, in the order of the instances
     * @return false if another owner took the record over; then all claims of the request have been rolled back
     */
    default Uni<Boolean> complete(String answer, List<String> registrations) {
        return Uni.createFrom().item(true);
    }

    /**
     * Rolls back a failed request, or notes for the caller that it must do so, as for a move. Never fails.
     *
     * @param mayHold whether a claim of the request holds or may hold
     */
    Uni<Void> rollBackFailed(boolean mayHold);
}
