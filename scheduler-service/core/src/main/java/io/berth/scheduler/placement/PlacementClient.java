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
 * The scheduler's client of placement. No method fails its {@code Uni} because of placement or the network: a refusal,
 * a server error and a lost response are cases of the result. Every call has a time limit.
 *
 * <p>A write may have a fence number. Placement stores the highest number per consumer and refuses a write whose number
 * is not higher, unless it repeats the last write. So a late write changes nothing if another replica has taken the
 * request over.
 */
public interface PlacementClient {
    /**
     * The microversion of every call except those that {@code HttpPlacementClient} names. The JSON of the candidates
     * depends on it.
     */
    String MICROVERSION = "1.36";

    /**
     * GET /allocation_candidates.
     *
     * @param queryString url-encoded, without the question mark
     * @param requestId id of the scheduler's request, which is sent to placement for its logs
     */
    Uni<CandidatesResult> allocationCandidates(String queryString, String requestId);

    /**
     * Like {@link #allocationCandidates}, for a request that will claim. Subtracts claims of this replica's other
     * requests that the response may not include, here and again in {@link #claim}, so that concurrent requests do not
     * all try the same hosts; subtracts nothing here if no candidate would be left. The call waits for at most a second
     * in the admission queue, which lets a few requests decide at a time: the turn of a request ends with its first
     * claim, or after a second. The caller must call {@link #endTurn} at the end of the request. By default, the same
     * as {@link #allocationCandidates}.
     */
    default Uni<CandidatesResult> candidatesToClaim(String queryString, String requestId) {
        return allocationCandidates(queryString, requestId);
    }

    /**
     * Announces the first claim of a request before it is sent: other requests subtract it from now on, and the next
     * request may decide. Does nothing if claims of other requests leave too little capacity for it.
     */
    default void announce(AllocationRequest first, String requestId) {}

    /**
     * Ends a request's use of its candidates.
     *
     * @return whether claims of other requests were subtracted. Because these claims may still fail, a request that
     *     found no valid host must be decided again on {@link #allocationCandidates}
     */
    default boolean endTurn(String requestId) {
        return false;
    }

    /**
     * GET /allocations/{consumer}. For a consumer that placement does not know, the result equals
     * {@link AllocationsResult.Allocations#NOTHING}.
     */
    Uni<AllocationsResult> getAllocations(UUID consumer, String requestId);

    /** PUT /allocations/{consumer}, without a fence number. See {@link #claim}. */
    default Uni<ClaimResult> putAllocations(Claim claim, String requestId) {
        return claim(List.of(claim), null, requestId);
    }

    /**
     * PUT /allocations/{consumer} for one consumer, POST /allocations for several, all or none. If placement reports
     * that a provider changed concurrently, waits and sends the request again, {@value #CLAIM_ATTEMPTS_MAX} attempts in
     * all. Does not repeat the request after any other error, except once with new credentials after a 401. Refuses the
     * claims without sending them if in-flight claims of this replica leave too little capacity.
     *
     * @param counted the amounts that the claims use in addition to the present use, which concurrent requests subtract
     *     from their candidates
     * @param number fence number of this write, sent as header Berth-Fence; null for none. Placement refuses a number
     *     that is not higher than all that it has seen for these consumers
     */
    Uni<ClaimResult> claim(List<Claim> claims, AllocationRequest counted, @Nullable Long number, String requestId);

    /** Like the method above, for claims of which only the last one uses amounts in addition to the present use. */
    default Uni<ClaimResult> claim(List<Claim> claims, @Nullable Long number, String requestId) {
        return claim(claims, claims.getLast().request(), number, requestId);
    }

    /**
     * POST /berth/v1/settlements: returns the allocations of the consumers, and the fence number of their last write.
     * From then on, no write with a fence number below {@code number} commits for these consumers, so the result is
     * final for such writes. May be repeated.
     *
     * @param number fence number of the settlement
     */
    default Uni<SettlementResult> settle(long number, List<UUID> consumers, String requestId) {
        return Uni.createFrom().item(new SettlementResult.Unreachable("this placement has no settlements"));
    }

    /**
     * POST /berth/v1/settlements: settles as {@link #settle} does, and rolls back in the same transaction the writes
     * with fence numbers from {@code first} to {@code last}, for all consumers or for none. Later writes of other
     * clients stay. May be repeated.
     *
     * @param number fence number of the settlement
     * @param restored the allocations that each consumer is to hold after the rollback
     */
    default Uni<SettlementResult> undo(long number, long first, long last, List<Claim> restored, String requestId) {
        return Uni.createFrom().item(new SettlementResult.Unreachable("this placement has no settlements"));
    }

    /**
     * DELETE /allocations/{consumer}.
     *
     * @param number fence number as for {@link #claim}; null for none
     */
    Uni<ReleaseResult> deleteAllocations(UUID consumer, @Nullable Long number, String requestId);

    /**
     * GET /berth/v1/released_consumers: the consumers that released all their allocations.
     *
     * @param since the position that the previous response had. For null, and for a position that placement does not
     *     accept, the result is the current position without consumers
     */
    default Uni<ReleasedConsumersResult> releasedSince(@Nullable String since, String requestId) {
        return Uni.createFrom().item(new ReleasedConsumersResult.NoLog());
    }

    /**
     * Returns for each consumer whether it holds allocations. A consumer whose state could not be read is missing in
     * the result. Sends POST /berth/v1/holding_consumers, or one GET per consumer to a Placement without this route.
     *
     * @param consumers at most {@value #HOLDING_CONSUMERS_MAX}
     */
    default Uni<Map<UUID, Boolean>> holding(List<UUID> consumers, String requestId) {
        return Multi.createFrom().iterable(consumers)
                .onItem().transformToUni(consumer -> getAllocations(consumer, requestId)
                        .map(answer -> Map.entry(consumer, answer)))
                .merge(CONCURRENT_READS_MAX)
                .collect().in(HashMap::new, (all, each) -> {
                    if (each.getValue() instanceof AllocationsResult.Allocations answer) {
                        all.put(each.getKey(), !answer.allocations().isEmpty());
                    }
                });
    }

    /** Returns whether placement supports {@link #settle}; true if placement does not respond. */
    default Uni<Boolean> hasSettlements(String requestId) {
        return Uni.createFrom().item(true);
    }

    /** GET /resource_providers: all providers. */
    Uni<ProvidersResult> listProviders(String requestId);

    /**
     * GET /resource_providers with conditions.
     *
     * @param queryString url-encoded, without the question mark
     */
    Uni<ProvidersResult> findProviders(String queryString, String requestId);

    /**
     * POST /berth/v1/what_if: queries on a scenario, which is the present fleet with changes. Writes nothing. A query
     * may name a view, an unchanging state of the fleet that one replica of placement keeps for consecutive queries.
     * Such a query is repeated until it reaches this replica, {@value #VIEW_ATTEMPTS_MAX} attempts in all.
     *
     * @param body JSON in placement's format, see docs/what-if.md
     * @param atMost time limit for the call, including the transfer of the response
     */
    default Uni<WhatIfResult> whatIf(byte[] body, Duration atMost, String requestId) {
        return Uni.createFrom().item(new WhatIfResult.NotSupported());
    }

    /** Maximum attempts of one claim. */
    int CLAIM_ATTEMPTS_MAX = 4;
    /** Maximum attempts of one query on a view. */
    int VIEW_ATTEMPTS_MAX = 40;
    /** Maximum consumers per call of {@link #holding}. */
    int HOLDING_CONSUMERS_MAX = 1_000;
    /** Maximum concurrent GET requests of {@link #holding}. */
    int CONCURRENT_READS_MAX = 4;
}
