package io.berth.scheduler.requestrecord;

import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenRecords;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.SettlementResult;
import io.berth.scheduler.requestrecord.RecoveryRules.Recovery;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Finishes open records: those that were left open, and those of requests that failed. First settles the instances
 * ({@link PlacementClient#settle}), so that no earlier claim of the request can commit any more. If the instances then
 * hold the allocations of the precomputed response, the request is placed; otherwise, and without such a response, it
 * is rolled back. The record of a request whose instances belong to other records is only deleted.
 */
@Singleton
class RequestRollback implements OpenRecords {
    private static final Logger LOG = Logger.getLogger(RequestRollback.class);
    /**
     * How long a client may repeat a request and get the stored response. After that, the record is deleted; the
     * allocations are not affected.
     */
    private static final Duration KEEP = Duration.ofDays(1);

    private final RequestRecordStore store;
    private final PlacementClient placement;
    private final FenceNumbers fenceNumbers;

    RequestRollback(RequestRecordStore store, PlacementClient placement, FenceNumbers fenceNumbers) {
        this.store = store;
        this.placement = placement;
        this.fenceNumbers = fenceNumbers;
    }

    /** The result of finishing a record. */
    enum Outcome {
        /** The instances hold the allocations of the precomputed response; the record is closed. */
        PLACED,
        /** No claim of the request holds. The record is deleted, unless another owner has taken it over. */
        ROLLED_BACK,
        /**
         * Placement does not respond or refuses, or another request has returned the precomputed response meanwhile, or
         * another owner has taken the record over. A record that is still open and has no owner is due again later.
         */
        RETRY_LATER
    }

    @Override
    public String name() {
        return "request records";
    }

    @Override
    public Uni<Boolean> processDue() {
        return store.takeDue(RequestLeases.LEASE.toSeconds()).chain(record -> record == null
                ? Uni.createFrom().item(false)
                : finish(record).replaceWith(true));
    }

    @Override
    public Uni<Integer> prune() {
        return store.prune(KEEP.toSeconds(), PRUNED_TOGETHER_MAX);
    }

    /**
     * Tries once to finish a record. The record is then closed, deleted, or open and not owned by the caller any more;
     * if this method fails, the record is due when the lease expires.
     *
     * @param record open and owned by the caller
     */
    Uni<Outcome> finish(RequestRecord record) {
        return settleAndFinish(record).invoke(outcome -> LOG.infof(
                "in-flight request completed key=%s request=%s outcome=%s", record.key(), record.requestId(), outcome));
    }

    private Uni<Outcome> settleAndFinish(RequestRecord record) {
        List<UUID> owned = List.copyOf(record.heldBefore().keySet());
        if (owned.isEmpty()) {
            return deleteRecord(record);
        }
        // The last two numbers of the owner's block are for its settlement and its rollback, see FenceNumbers.Block.
        long last = FenceNumbers.lastOf(record.ownerFirstNumber());
        return placement.settle(last - 1, owned, record.requestId()).chain(result -> switch (result) {
            case SettlementResult.Settled(Map<UUID, SettlementResult.SettledConsumer> consumers) ->
                switch (RecoveryRules.recoveryOf(record, consumers)) {
                    case Recovery.Placed _ ->
                        store.closeAsPlanned(Map.of(record.key(), record.ownerFirstNumber()))
                                .replaceWith(Outcome.PLACED);
                    case Recovery.Undo(List<Claim> restored) -> invalidateResponse(record)
                            .chain(isInvalidated -> !isInvalidated
                                    ? Uni.createFrom().item(Outcome.RETRY_LATER)
                                    : restored.isEmpty() ? deleteRecord(record) : undoClaims(record, restored, last));
                };
            default -> retryLater(record, result);
        });
    }

    /**
     * Invalidates the precomputed response; returns true if that succeeded or there is none. False if another request
     * has returned the response meanwhile, or the record has another owner or is gone.
     */
    private Uni<Boolean> invalidateResponse(RequestRecord record) {
        return record.answer() == null
                ? Uni.createFrom().item(true)
                : store.invalidateResponse(record.key(), record.ownerFirstNumber());
    }

    private Uni<Outcome> undoClaims(RequestRecord record, List<Claim> restored, long number) {
        long first = record.requestFirstNumber();
        return placement.undo(number, first, FenceNumbers.lastClaimOf(first), restored, record.requestId())
                .chain(result -> result instanceof SettlementResult.Settled
                        ? deleteRecord(record)
                        : retryLater(record, result));
    }

    private Uni<Outcome> retryLater(RequestRecord record, SettlementResult result) {
        return result instanceof SettlementResult.Fenced(long fence)
                ? fenceNumbers.raise(fence).chain(() -> postpone(record))
                : postpone(record);
    }

    private Uni<Outcome> deleteRecord(RequestRecord record) {
        return store.deleteRolledBack(record.key(), record.ownerFirstNumber()).replaceWith(Outcome.ROLLED_BACK);
    }

    private Uni<Outcome> postpone(RequestRecord record) {
        int attempts = record.state() instanceof RequestRecord.Open open ? open.attempts() : 0;
        return store
                .postpone(record.key(), record.ownerFirstNumber(), record.requestId(), OpenWork.pauseSeconds(attempts))
                .replaceWith(Outcome.RETRY_LATER);
    }

    /** The allocations that the instances of a record hold, compared with its response. */
    enum Holding {
        /** Every instance holds the allocations of the response. */
        AS_IN_RESPONSE,
        /** No instance holds any allocation. */
        NOTHING,
        /** The instances hold other allocations, or only some of them hold those of the response. */
        SOMETHING_ELSE,
        /** Placement does not respond. */
        UNKNOWN
    }

    /**
     * Compares the allocations of the instances with the stored response. Without a response, any allocation is
     * {@link Holding#SOMETHING_ELSE}.
     *
     * @param allowsOthers whether an instance may also hold allocations on providers that are not in the response; if
     *     not, they mean that the instance was moved since
     */
    Uni<Holding> compareHoldings(RequestRecord record, boolean allowsOthers) {
        List<Map<String, Map<String, Long>>> answered = record.answer() == null ? null : record.answeredAllocations();
        return Multi.createFrom().range(0, record.instances().size())
                .onItem().transformToUniAndConcatenate(index -> placement
                        .getAllocations(record.instances().get(index), record.requestId())
                        .map(answer -> switch (answer) {
                            case AllocationsResult.Unreachable _ -> Holding.UNKNOWN;
                            case AllocationsResult.Allocations held when held.allocations().isEmpty() ->
                                Holding.NOTHING;
                            case AllocationsResult.Allocations held -> answered != null
                                    && held.allocations().entrySet().containsAll(answered.get(index).entrySet())
                                    && (allowsOthers || held.allocations().size() == answered.get(index).size())
                                            ? Holding.AS_IN_RESPONSE
                                            : Holding.SOMETHING_ELSE;
                        }))
                .collect().asList()
                .map(each -> each.contains(Holding.UNKNOWN)
                        ? Holding.UNKNOWN
                        : each.stream().distinct().count() == 1 ? each.getFirst() : Holding.SOMETHING_ELSE);
    }

    /**
     * Returns whether claims of an open record were accepted for all its instances, even if the allocations were
     * released since. False if placement does not respond. Settles with the first fence number of the request, which is
     * lower than the numbers of its claims. So placement refuses this settlement only if it has seen a higher number,
     * one of this request if a claim was committed; and the settlement does not stop a claim in flight.
     */
    Uni<Boolean> wasClaimed(RequestRecord record) {
        return Multi.createFrom().iterable(record.instances())
                .onItem().transformToUniAndConcatenate(
                        instance -> placement
                                .settle(record.requestFirstNumber(), List.of(instance), record.requestId()))
                .map(result -> result instanceof SettlementResult.Fenced(long fence)
                        && fence <= FenceNumbers.lastOf(record.requestFirstNumber()))
                .collect().asList()
                .map(claimed -> !claimed.contains(false));
    }
}
