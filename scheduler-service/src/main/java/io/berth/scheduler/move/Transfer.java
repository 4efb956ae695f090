package io.berth.scheduler.move;

import io.berth.scheduler.boot.Leases;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Restores the allocations that an instance held before a move, in one transaction under the generations that were read.
 *
 * <p>It always writes, even what is there already: the write raises the generation of the instance's allocations, so that a
 * claim of the move which is still in flight is refused. A Placement from before 2025 refuses that write on an overcommitted
 * provider; then allocations that are already in place count as restored once no claim can arrive any more.
 * <br>Source: nova {@code scheduler/client/report.py} (move_allocations), {@code compute/manager.py} (_revert_allocation).
 */
@Singleton
public class Transfer {
    private final PlacementClient placement;

    public Transfer(PlacementClient placement) {
        this.placement = placement;
    }

    public Uni<PutBack> putBack(Move move, String requestId) {
        return read(move.instanceUuid(), requestId, instance -> move.kind().handsOver()
                ? read(move.migrationUuid(), requestId, held -> fromMigration(move, instance, held, requestId))
                : toBefore(move, instance, requestId));
    }

    private Uni<PutBack> fromMigration(
            Move move, AllocationsAnswer.Held instance, AllocationsAnswer.Held migration, String requestId) {
        if (migration.allocations().isEmpty()) {
            return instance.allocations().equals(move.heldBefore())
                    ? write(move, instance, requestId)
                    : gone("the migration holds no allocations, and the instance holds others than before");
        }
        if (instance.allocations().isEmpty()) {
            return afterDeletion(move, migration, requestId);
        }
        return placement
                .postAllocations(
                        List.of(
                                holding(move.migrationUuid(), Map.of(), migration, migration),
                                holding(move.instanceUuid(), migration.allocations(), instance, migration)),
                        requestId)
                .map(Transfer::outcome);
    }

    /** The instance was deleted after the claim. The migration's allocations are the client's once the move was made. */
    private Uni<PutBack> afterDeletion(Move move, AllocationsAnswer.Held migration, String requestId) {
        PutBack gone = new PutBack.Gone("the instance holds no allocations: it was deleted");
        return move.heldAfter() != null
                ? Uni.createFrom().item(gone)
                : placement
                        .putAllocations(holding(move.migrationUuid(), Map.of(), migration, migration), requestId)
                        .map(result -> result instanceof ClaimResult.Claimed ? gone : outcome(result));
    }

    private Uni<PutBack> toBefore(Move move, AllocationsAnswer.Held instance, String requestId) {
        if (move.heldBefore().isEmpty() && instance.allocations().isEmpty()) {
            return Uni.createFrom().item(new PutBack.Done());
        }
        return isOurs(move, instance.allocations())
                ? write(move, instance, requestId)
                : gone("the instance holds other allocations than this move left it with");
    }

    /** Until the claim is known, anything beside what was held before counts as claimed by the move. */
    private static boolean isOurs(Move move, Map<String, Map<String, Long>> held) {
        return move.heldAfter() == null
                ? held.entrySet().containsAll(move.heldBefore().entrySet())
                : held.equals(move.heldAfter()) || held.equals(move.heldBefore());
    }

    private Uni<PutBack> write(Move move, AllocationsAnswer.Held instance, String requestId) {
        return placement
                .putAllocations(holding(move.instanceUuid(), move.heldBefore(), instance, instance), requestId)
                .map(result -> result instanceof ClaimResult.Refused
                        && instance.allocations().equals(move.heldBefore())
                        && isSettled(move)
                                ? new PutBack.Done()
                                : outcome(result));
    }

    /** Whether no claim of the move may still commit: a later one is known, or all were sent long ago. */
    private static boolean isSettled(Move move) {
        return move.heldAfter() != null
                || move.ageSeconds() >= Moves.RUN_MAX.plus(Leases.CLAIM_MAY_COMMIT).toSeconds();
    }

    /**
     * @param now what the consumer holds, for its generation
     * @param owner in whose name
     */
    private static Claim holding(
            UUID consumer,
            Map<String, Map<String, Long>> allocations,
            AllocationsAnswer.Held now,
            AllocationsAnswer.Held owner) {
        return new Claim(
                consumer,
                new AllocationRequest(allocations, Map.of()),
                now.consumerGeneration(),
                owner.projectId(),
                owner.userId());
    }

    private static PutBack outcome(ClaimResult result) {
        return switch (result) {
            case ClaimResult.Claimed _ -> new PutBack.Done();
            case ClaimResult.Refused refused -> new PutBack.NotNow("placement refuses: " + refused.detail());
            case ClaimResult.Denied denied -> new PutBack.NotNow(denied.why());
            case ClaimResult.ProvidersBusy _ -> new PutBack.NotNow("providers keep changing");
            case ClaimResult.ConsumerChanged changed -> new PutBack.NotNow(changed.detail());
            case ClaimResult.Unreachable lost -> new PutBack.NotNow("placement does not answer: " + lost.why());
        };
    }

    private static Uni<PutBack> gone(String why) {
        return Uni.createFrom().item(new PutBack.Gone(why));
    }

    private Uni<PutBack> read(UUID consumer, String requestId, Function<AllocationsAnswer.Held, Uni<PutBack>> next) {
        return placement.getAllocations(consumer, requestId).chain(answer -> switch (answer) {
            case AllocationsAnswer.Held held -> next.apply(held);
            case AllocationsAnswer.Unreachable lost ->
                Uni.createFrom().item(new PutBack.NotNow("placement does not answer: " + lost.why()));
        });
    }
}
