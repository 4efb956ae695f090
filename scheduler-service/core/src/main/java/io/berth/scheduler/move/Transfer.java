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
 * Restores the allocations from before a move, or releases those on the source. It settles the consumers first, so that
 * no claim of the move can commit any more and their state is final. The write that follows has the last number of the
 * owner's block.
 */
@Singleton
public class Transfer {
    private final PlacementClient placement;
    private final FenceNumbers numbers;

    public Transfer(PlacementClient placement, FenceNumbers numbers) {
        this.placement = placement;
        this.numbers = numbers;
    }

    /**
     * Tries once to restore the earlier allocations. Never fails for an error of placement.
     *
     * @param move open and owned by the caller
     */
    public Uni<RestoreResult> putBack(Move move, String requestId) {
        long last = FenceNumbers.lastOf(Objects.requireNonNull(move.number()));
        List<UUID> consumers = move.kind().handsOver()
                ? List.of(move.instanceUuid(), move.migrationUuid())
                : List.of(move.instanceUuid());
        return placement.settle(last - 1, consumers, requestId).chain(result -> switch (result) {
            case SettlementResult.Settled(Map<UUID, SettlementResult.SettledConsumer> settled) -> restore(
                    move, RestoreRules.of(
                            move, Maps.require(settled, move.instanceUuid()), settled.get(move.migrationUuid())),
                    last, requestId);
            default -> notNow(result);
        });
    }

    /**
     * Tries once to release the allocations on the source.
     *
     * @param move made, and owned by the caller
     */
    Uni<RestoreResult> release(Move move, String requestId) {
        long last = FenceNumbers.lastOf(Objects.requireNonNull(move.number()));
        UUID holder = move.kind().sourceHolder(move.instanceUuid(), move.migrationUuid());
        return placement.settle(last - 1, List.of(holder), requestId).chain(result -> {
            if (!(result instanceof SettlementResult.Settled(Map<UUID, SettlementResult.SettledConsumer> settled))) {
                return notNow(result);
            }
            RestoreRules.Restoration release = RestoreRules.ofConfirm(move, Maps.require(settled, holder).held());
            return release.claims().isEmpty()
                    ? Uni.createFrom().item(release.then())
                    : write(release, last, requestId);
        });
    }

    private Uni<RestoreResult> restore(Move move, RestoreRules.Restoration restoration, long number, String requestId) {
        if (restoration.claims().isEmpty()) {
            return Uni.createFrom().item(restoration.then());
        }
        return move.state() == MoveState.REVERTING
                ? write(restoration, number, requestId)
                : placement.undo(
                        number, move.firstNumber(), FenceNumbers.lastClaimOf(Objects.requireNonNull(move.number())),
                        restoration.claims(), requestId)
                        .chain(result -> result instanceof SettlementResult.Settled
                                ? Uni.createFrom().item(restoration.then())
                                : notNow(result));
    }

    private Uni<RestoreResult> notNow(SettlementResult result) {
        return switch (result) {
            case SettlementResult.Settled _ -> throw new IllegalStateException("settled");
            case SettlementResult.Fenced(long fence) -> fenced(fence);
            case SettlementResult.UndoRefused(String why) -> notNow("placement refuses: " + why);
            case SettlementResult.Unreachable(String why) -> notNow("placement does not answer: " + why);
        };
    }

    private Uni<RestoreResult> write(RestoreRules.Restoration restoration, long number, String requestId) {
        return placement.claim(restoration.claims(), number, requestId).chain(result -> switch (result) {
            case ClaimResult.Claimed _ -> Uni.createFrom().item(restoration.then());
            case ClaimResult.Refused refused -> notNow("placement refuses: " + refused.detail());
            case ClaimResult.Denied denied -> notNow(denied.why());
            case ClaimResult.ProvidersBusy _ -> notNow("providers keep changing");
            case ClaimResult.ConsumerChanged changed -> notNow(changed.detail());
            case ClaimResult.Fenced(long fence) -> fenced(fence);
            case ClaimResult.Unreachable lost -> notNow("placement does not answer: " + lost.why());
        });
    }

    private Uni<RestoreResult> fenced(long fence) {
        return numbers.raise(fence).chain(() -> notNow("another request of the instance wrote later"));
    }

    private static Uni<RestoreResult> notNow(String why) {
        return Uni.createFrom().item(new RestoreResult.RetryLater(why));
    }
}
