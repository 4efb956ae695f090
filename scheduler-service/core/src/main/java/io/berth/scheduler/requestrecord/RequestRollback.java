package io.berth.scheduler.requestrecord;

import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenRecords;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsAnswer;
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
 * Finishes records that were left open. It settles their instances first: afterwards no claim of the request can
 * commit any more, so the settlement returns its final state. If the instances hold the planned allocations, the
 * request is placed; otherwise it is rolled back.
 */
@Singleton
class RequestRollback implements OpenRecords {
    private static final Logger LOG = Logger.getLogger(RequestRollback.class);
    /** How long a client may repeat its request. Allocations are placement's, so they do not depend on the record. */
    private static final Duration KEEP = Duration.ofDays(1);

    private final RequestRecordStore store;
    private final PlacementClient placement;
    private final FenceNumbers numbers;

    RequestRollback(RequestRecordStore store, PlacementClient placement, FenceNumbers numbers) {
        this.store = store;
        this.placement = placement;
        this.numbers = numbers;
    }

    /** The result of finishing a record. */
    enum Outcome {
        /** Its instances hold the planned allocations. */
        PLACED,
        /** Nothing of the request is held, and its record is gone. */
        UNDONE,
        /** Placement does not respond, or refuses: the record stays open, without an owner. */
        NOT_NOW
    }

    @Override
    public String name() {
        return "request records";
    }

    @Override
    public Uni<Boolean> workOnOne() {
        return store.takeDue(RequestLeases.LEASE.toSeconds()).chain(boot -> boot == null
                ? Uni.createFrom().item(false)
                : finish(boot).replaceWith(true));
    }

    @Override
    public Uni<Integer> prune() {
        return store.prune(KEEP.toSeconds(), PRUNED_TOGETHER_MAX);
    }

    /** @param boot open, with the caller's number; afterwards it is closed, or has no owner */
    Uni<Outcome> finish(RequestRecord boot) {
        return settled(boot).invoke(outcome -> LOG.infof(
                "in-flight request completed key=%s request=%s outcome=%s", boot.key(), boot.requestId(), outcome));
    }

    private Uni<Outcome> settled(RequestRecord boot) {
        List<UUID> owned = List.copyOf(boot.kept().keySet());
        if (owned.isEmpty()) {
            return undone(boot);
        }
        long last = FenceNumbers.lastOf(boot.number());
        return placement.settle(last - 1, owned, boot.requestId()).chain(result -> switch (result) {
            case SettlementResult.Settled(Map<UUID, SettlementResult.Consumer> consumers) ->
                switch (RecoveryRules.of(boot, consumers)) {
                    case Recovery.Placed _ ->
                        store.placedAsPlanned(Map.of(boot.key(), boot.number())).replaceWith(Outcome.PLACED);
                    case Recovery.Undo(List<Claim> restored) -> leftPlan(boot).chain(ours -> !ours
                            ? Uni.createFrom().item(Outcome.NOT_NOW)
                            : restored.isEmpty() ? undone(boot) : undo(boot, restored, last));
                };
            default -> notNow(boot, result);
        });
    }

    /** Invalidates the precomputed response. False if another request has confirmed it meanwhile. */
    private Uni<Boolean> leftPlan(RequestRecord boot) {
        return boot.answer() == null
                ? Uni.createFrom().item(true)
                : store.leavePlan(boot.key(), boot.number());
    }

    private Uni<Outcome> undo(RequestRecord boot, List<Claim> restored, long number) {
        long first = boot.firstNumber();
        return placement.undo(number, first, FenceNumbers.lastClaimOf(first), restored, boot.requestId())
                .chain(result -> result instanceof SettlementResult.Settled ? undone(boot) : notNow(boot, result));
    }

    private Uni<Outcome> notNow(RequestRecord boot, SettlementResult result) {
        return result instanceof SettlementResult.Fenced(long fence)
                ? numbers.raise(fence).chain(() -> later(boot))
                : later(boot);
    }

    private Uni<Outcome> undone(RequestRecord boot) {
        return store.takenBack(boot.key(), boot.number()).replaceWith(Outcome.UNDONE);
    }

    private Uni<Outcome> later(RequestRecord boot) {
        int attempts = boot.state() instanceof RequestRecord.Open open ? open.attempts() : 0;
        return store.postpone(boot.key(), boot.number(), boot.requestId(), OpenWork.pauseSeconds(attempts))
                .replaceWith(Outcome.NOT_NOW);
    }

    /** The state of the instances' allocations, compared with the response. */
    enum Holding {
        AS_ANSWERED,
        NOTHING,
        SOMETHING_ELSE,
        NOT_KNOWN
    }

    /**
     * Compares the instances' allocations with the stored response, if there is one.
     *
     * @param amongOthers whether they may hold further allocations; if not, further ones mean that they were moved
     *     since
     */
    Uni<Holding> holds(RequestRecord boot, boolean amongOthers) {
        List<Map<String, Map<String, Long>>> answered = boot.answer() == null ? null : StoredResponse.allocations(boot.answer());
        return Multi.createFrom().range(0, boot.instances().size())
                .onItem().transformToUniAndConcatenate(index -> placement
                        .getAllocations(boot.instances().get(index), boot.requestId())
                        .map(answer -> switch (answer) {
                            case AllocationsAnswer.Unreachable _ -> Holding.NOT_KNOWN;
                            case AllocationsAnswer.Held held when held.allocations().isEmpty() -> Holding.NOTHING;
                            case AllocationsAnswer.Held held -> answered != null
                                    && held.allocations().entrySet().containsAll(answered.get(index).entrySet())
                                    && (amongOthers || held.allocations().size() == answered.get(index).size())
                                            ? Holding.AS_ANSWERED
                                            : Holding.SOMETHING_ELSE;
                        }))
                .collect().asList()
                .map(each -> each.contains(Holding.NOT_KNOWN)
                        ? Holding.NOT_KNOWN
                        : each.stream().distinct().count() == 1 ? each.getFirst() : Holding.SOMETHING_ELSE);
    }

    /**
     * Returns whether the planned claims of an open record were accepted, even if their allocations were released
     * since. False if placement does not respond. The settlement uses the first number of the record's block, which
     * is lower than those of all its claims: only a committed claim can refuse it, and it does not stop a claim in
     * flight.
     */
    Uni<Boolean> wasClaimed(RequestRecord boot) {
        return Multi.createFrom().iterable(boot.instances())
                .onItem().transformToUniAndConcatenate(
                        instance -> placement.settle(boot.firstNumber(), List.of(instance), boot.requestId()))
                .map(result -> result instanceof SettlementResult.Fenced(long fence)
                        && fence <= FenceNumbers.lastOf(boot.firstNumber()))
                .collect().asList()
                .map(claimed -> !claimed.contains(false));
    }
}
