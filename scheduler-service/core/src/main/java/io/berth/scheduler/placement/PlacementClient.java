package io.berth.scheduler.placement;

import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What the scheduler asks of placement. No method fails its {@code Uni} for anything placement or the network
 * does: refusals and lost answers are cases of the results. Every call is bounded in time.
 */
public interface PlacementClient {
    /** The microversion of every call but those that {@code HttpPlacementClient} names; the candidates' form depends on it. */
    String MICROVERSION = "1.36";

    /**
     * GET /allocation_candidates.
     *
     * @param queryString url-encoded, without the question mark
     */
    Uni<CandidatesAnswer> allocationCandidates(String queryString, String requestId);

    /**
     * As {@link #allocationCandidates}, for a request that will claim: claims of other requests that this answer may not
     * show are counted, here and in {@link #putAllocations}, so that requests at the same moment do not all try the same
     * hosts. Requests decide a few at a time: the next may at the first claim of this one. Must be followed by
     * {@link #endTurn}.
     */
    default Uni<CandidatesAnswer> candidatesToClaim(String queryString, String requestId) {
        return allocationCandidates(queryString, requestId);
    }

    /**
     * That request will make this claim first, as soon as it may: others count it from now on, and the next request may
     * decide.
     */
    default void announce(AllocationRequest first, String requestId) {}

    /**
     * That request does not claim from its candidates any more. Says whether claims of others were counted, which may still
     * come to nothing: then that it found no valid host is no proof, and {@link #allocationCandidates} must be asked.
     */
    default boolean endTurn(String requestId) {
        return false;
    }

    /** GET /allocations/{consumer}; a consumer placement does not know holds nothing. */
    Uni<AllocationsAnswer> getAllocations(UUID consumer, String requestId);

    /** PUT /allocations/{consumer}, without a number. See {@link #claim}. */
    default Uni<ClaimResult> putAllocations(Claim claim, String requestId) {
        return claim(List.of(claim), null, requestId);
    }

    /**
     * PUT /allocations/{consumer} for one consumer, POST /allocations for several: all or none. Waits and repeats, at most
     * {@value #CLAIM_ATTEMPTS_MAX} attempts in all, while placement answers that a provider changed underneath; repeats
     * nothing else.
     *
     * @param claims the last one counts as the claim of the request for others that decide at the same time
     * @param number of this write, the header Berth-Fence; null for none. Placement refuses a write whose number is not higher
     *     than each that was used for its consumers before
     */
    Uni<ClaimResult> claim(List<Claim> claims, @Nullable Long number, String requestId);

    /**
     * POST /berth/v1/settlements: what the consumers hold, and who wrote it. Afterwards no write with a lower number commits,
     * so the response is final. Can be repeated.
     */
    default Uni<SettlementResult> settle(long number, List<UUID> consumers, String requestId) {
        return Uni.createFrom().item(new SettlementResult.Unreachable("this placement has no settlements"));
    }

    /**
     * POST /berth/v1/settlements as {@link #settle}, which also undoes what writes with the numbers from the first to the last
     * left, all or nothing. What anybody else wrote since stays. Can be repeated.
     *
     * @param restored what each consumer is to hold then
     */
    default Uni<SettlementResult> undo(long number, long first, long last, List<Claim> restored, String requestId) {
        return Uni.createFrom().item(new SettlementResult.Unreachable("this placement has no settlements"));
    }

    /** DELETE /allocations/{consumer}, with a number as {@link #claim}. */
    Uni<ReleaseResult> deleteAllocations(UUID consumer, @Nullable Long number, String requestId);

    /**
     * GET /berth/v1/released_consumers: the consumers that gave up all they held.
     *
     * @param since as placement said the last time; null to ask where to begin
     */
    default Uni<ReleasedAnswer> releasedSince(@Nullable String since, String requestId) {
        return Uni.createFrom().item(new ReleasedAnswer.NotKept());
    }

    /**
     * Returns whether each of the consumers holds something; without those that placement says nothing of. POST
     * /berth/v1/holding_consumers, or a reading of each.
     *
     * @param consumers at most {@value #HOLDING_ASKED_MAX}
     */
    default Uni<Map<UUID, Boolean>> holding(List<UUID> consumers, String requestId) {
        return Multi.createFrom().iterable(consumers)
                .onItem().transformToUni(consumer -> getAllocations(consumer, requestId)
                        .map(answer -> Map.entry(consumer, answer)))
                .merge(READ_AT_ONCE)
                .collect().in(HashMap::new, (all, each) -> {
                    if (each.getValue() instanceof AllocationsAnswer.Held answer) {
                        all.put(each.getKey(), !answer.allocations().isEmpty());
                    }
                });
    }

    /** Returns whether placement knows {@link #settle}; true where it does not answer. */
    default Uni<Boolean> hasSettlements(String requestId) {
        return Uni.createFrom().item(true);
    }

    /** GET /resource_providers, for the names of hosts that nobody registered. */
    Uni<ProvidersAnswer> listProviders(String requestId);

    /**
     * GET /resource_providers with conditions.
     *
     * @param queryString url-encoded, without the question mark
     */
    Uni<ProvidersAnswer> findProviders(String queryString, String requestId);

    /**
     * POST /berth/v1/what_if: questions about a fleet that is as the present one with changes. Changes nothing. Repeats a
     * question that names a view, at most {@value #REPLICAS_TRIED_MAX} times in all, until the replica that keeps it answers.
     *
     * @param body as placement takes it
     * @param atMost how long it may take, the answer's way included
     */
    default Uni<WhatIfAnswer> whatIf(byte[] body, Duration atMost, String requestId) {
        return Uni.createFrom().item(new WhatIfAnswer.NotKnown());
    }

    int CLAIM_ATTEMPTS_MAX = 4;
    int REPLICAS_TRIED_MAX = 40;
    int HOLDING_ASKED_MAX = 1_000;
    /** Readings of allocations at the same time. */
    int READ_AT_ONCE = 4;
}
