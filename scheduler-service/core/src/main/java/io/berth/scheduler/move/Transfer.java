package io.berth.scheduler.move;

import io.berth.model.Maps;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.SettlementResult;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Restores the allocations from before a move, or releases those on the source. First settles the consumers
 * ({@link PlacementClient#settle}), so that no earlier claim of the move can commit any more. The write that follows,
 * if there is one, has the last fence number of the owner's block, see {@link FenceNumbers}.
 */
@Singleton
public class Transfer {
    private final PlacementClient placement;
    private final FenceNumbers fenceNumbers;

    public Transfer(PlacementClient placement, FenceNumbers fenceNumbers) {
        this.placement = placement;
        this.fenceNumbers = fenceNumbers;
    }

    /**
     * Tries once to restore the earlier allocations. Never fails for an error of placement.
     *
     * @param move open and owned by the caller
     */
    public Uni<RestoreResult> restoreHeldBefore(Move move, String requestId) {
        long last = FenceNumbers.lastOf(Objects.requireNonNull(move.number()));
        List<UUID> consumers = move.kind().migrationHoldsSource()
                ? List.of(move.instanceUuid(), move.migrationUuid())
                : List.of(move.instanceUuid());
        return placement.settle(last - 1, consumers, requestId).chain(result -> switch (result) {
            case SettlementResult.Settled(Map<UUID, SettlementResult.SettledConsumer> settled) -> restore(
                    move, RestoreRules.of(
                            move, Maps.require(settled, move.instanceUuid()), settled.get(move.migrationUuid())),
                    last, requestId);
            default -> retryLater(result);
        });
    }

    /**
     * Tries once to release the allocations on the source. Never fails for an error of placement.
     *
     * @param move in state MOVED, and owned by the caller
     */
    Uni<RestoreResult> release(Move move, String requestId) {
        long last = FenceNumbers.lastOf(Objects.requireNonNull(move.number()));
        UUID holder = move.kind().sourceHolder(move.instanceUuid(), move.migrationUuid());
        return placement.settle(last - 1, List.of(holder), requestId).chain(result -> {
            if (!(result instanceof SettlementResult.Settled(Map<UUID, SettlementResult.SettledConsumer> settled))) {
                return retryLater(result);
            }
            RestoreRules.Restoration release = RestoreRules.ofConfirm(move, Maps.require(settled, holder).held());
            return release.claims().isEmpty()
                    ? Uni.createFrom().item(release.finalResult())
                    : write(release, last, requestId);
        });
    }

    private Uni<RestoreResult> restore(Move move, RestoreRules.Restoration restoration, long number, String requestId) {
        if (restoration.claims().isEmpty()) {
            return Uni.createFrom().item(restoration.finalResult());
        }
        // A revert replaces the allocations; a rollback must undo only the claims of this move.
        return move.state() == MoveState.REVERTING
                ? write(restoration, number, requestId)
                : placement.undo(
                        number, move.firstNumber(), FenceNumbers.lastClaimOf(Objects.requireNonNull(move.number())),
                        restoration.claims(), requestId)
                        .chain(result -> result instanceof SettlementResult.Settled
                                ? Uni.createFrom().item(restoration.finalResult())
                                : retryLater(result));
    }

    private Uni<RestoreResult> retryLater(SettlementResult result) {
        return switch (result) {
            case SettlementResult.Settled _ -> throw new IllegalStateException("settled");
            case SettlementResult.Fenced(long fence) -> raiseFence(fence);
            case SettlementResult.UndoRefused(String why) -> retryLater("placement refuses: " + why);
            case SettlementResult.Unreachable(String why) -> retryLater("placement is unavailable: " + why);
        };
    }

    private Uni<RestoreResult> write(RestoreRules.Restoration restoration, long number, String requestId) {
        return placement.claim(restoration.claims(), number, requestId).chain(result -> switch (result) {
            case ClaimResult.Claimed _ -> Uni.createFrom().item(restoration.finalResult());
            case ClaimResult.Refused refused -> retryLater("placement refuses: " + refused.detail());
            case ClaimResult.Denied denied -> retryLater(denied.why());
            case ClaimResult.ProvidersBusy _ -> retryLater("providers keep changing");
            case ClaimResult.ConsumerChanged changed -> retryLater(changed.detail());
            case ClaimResult.Fenced(long fence) -> raiseFence(fence);
            case ClaimResult.Unreachable lost -> retryLater("placement is unavailable: " + lost.why());
        });
    }

    /** @param fence the fence number that placement has seen, which is higher than those of this owner */
    private Uni<RestoreResult> raiseFence(long fence) {
        return fenceNumbers.raise(fence).chain(() -> retryLater("another request of the instance wrote later"));
    }

    private static Uni<RestoreResult> retryLater(String why) {
        return Uni.createFrom().item(new RestoreResult.RetryLater(why));
    }
}
