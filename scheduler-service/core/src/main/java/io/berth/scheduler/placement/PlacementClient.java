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
 * The scheduler's interface to placement. No method fails its {@code Uni} for an error of placement or the network:
 * refusals and lost responses are cases of the results. Every call is bounded in time.
 */
public interface PlacementClient {
    /**
     * The microversion of every call except those that {@code HttpPlacementClient} names; the form of the candidates
     * depends on it.
     */
    String MICROVERSION = "1.36";

    /**
     * GET /allocation_candidates.
     *
     * @param queryString url-encoded, without the question mark
     */
    Uni<CandidatesAnswer> allocationCandidates(String queryString, String requestId);

    /**
     * Like {@link #allocationCandidates}, for a request that will claim. Claims of other requests that the response may
     * not include are counted, here and in {@link #putAllocations}, so that concurrent requests do not all try the same
     * hosts. Requests decide a few at a time: the next one may decide when this one makes its first claim. Must be
     * followed by {@link #endTurn}.
     */
    default Uni<CandidatesAnswer> candidatesToClaim(String queryString, String requestId) {
        return allocationCandidates(queryString, requestId);
    }

    /**
     * Announces the first claim of a request before it is sent: other requests count it from now on, and the next
     * request may decide.
     */
    default void announce(AllocationRequest first, String requestId) {}

    /**
     * Ends a request's use of its candidates. Returns whether claims of other requests were counted. Those may still
     * fail, so if the request found no valid host, it must query {@link #allocationCandidates} without them.
     */
    default boolean endTurn(String requestId) {
        return false;
    }

    /** GET /allocations/{consumer}; a consumer that placement does not know holds nothing. */
    Uni<AllocationsAnswer> getAllocations(UUID consumer, String requestId);

    /** PUT /allocations/{consumer}, without a fence number. See {@link #claim}. */
    default Uni<ClaimResult> putAllocations(Claim claim, String requestId) {
        return claim(List.of(claim), null, requestId);
    }

    /**
     * PUT /allocations/{consumer} for one consumer, POST /allocations for several: all or none. Waits and repeats, at
     * most {@value #CLAIM_ATTEMPTS_MAX} attempts in all, while placement reports that a provider changed
     * concurrently; repeats nothing else.
     *
     * @param claims the last one is the request's own claim, which other requests that decide at the same time count
     * @param number the fence number of this write, sent as header Berth-Fence; null for none. Placement refuses a
     *     write whose number is not higher than every number that was used for its consumers before
     */
    Uni<ClaimResult> claim(List<Claim> claims, @Nullable Long number, String requestId);

    /**
     * POST /berth/v1/settlements: returns what the consumers hold, and the fence number of their last write. Afterwards
     * no write with a number below {@code number} commits, so the response is final. Can be repeated.
     */
    default Uni<SettlementResult> settle(long number, List<UUID> consumers, String requestId) {
        return Uni.createFrom().item(new SettlementResult.Unreachable("this placement has no settlements"));
    }

    /**
     * POST /berth/v1/settlements as {@link #settle}, which also rolls back the writes with fence numbers from
     * {@code first} to {@code last}, all or nothing. Later writes of others stay. Can be repeated.
     *
     * @param restored the allocations that each consumer is to hold then
     */
    default Uni<SettlementResult> undo(long number, long first, long last, List<Claim> restored, String requestId) {
        return Uni.createFrom().item(new SettlementResult.Unreachable("this placement has no settlements"));
    }

    /** DELETE /allocations/{consumer}, with a fence number as in {@link #claim}. */
    Uni<ReleaseResult> deleteAllocations(UUID consumer, @Nullable Long number, String requestId);

    /**
     * GET /berth/v1/released_consumers: the consumers that released all their allocations.
     *
     * @param since the position that placement returned last; null to query the current position
     */
    default Uni<ReleasedAnswer> releasedSince(@Nullable String since, String requestId) {
        return Uni.createFrom().item(new ReleasedAnswer.NotKept());
    }

    /**
     * Returns whether each of the consumers holds allocations; leaves out those that placement does not report on.
     * POST /berth/v1/holding_consumers, or one GET for each.
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

    /** Returns whether placement supports {@link #settle}; true if it does not respond. */
    default Uni<Boolean> hasSettlements(String requestId) {
        return Uni.createFrom().item(true);
    }

    /** GET /resource_providers, for the names of hosts that are not registered. */
    Uni<ProvidersAnswer> listProviders(String requestId);

    /**
     * GET /resource_providers with conditions.
     *
     * @param queryString url-encoded, without the question mark
     */
    Uni<ProvidersAnswer> findProviders(String queryString, String requestId);

    /**
     * POST /berth/v1/what_if: queries on a scenario, the present fleet with changes. Changes nothing. Repeats a query
     * that names a view, at most {@value #REPLICAS_TRIED_MAX} times in all, until it reaches the replica that has the
     * view.
     *
     * @param body in placement's format
     * @param atMost time limit for the call, including the transfer of the response
     */
    default Uni<WhatIfAnswer> whatIf(byte[] body, Duration atMost, String requestId) {
        return Uni.createFrom().item(new WhatIfAnswer.NotKnown());
    }

    int CLAIM_ATTEMPTS_MAX = 4;
    int REPLICAS_TRIED_MAX = 40;
    int HOLDING_ASKED_MAX = 1_000;
    /** Maximum concurrent reads of allocations. */
    int READ_AT_ONCE = 4;
}
