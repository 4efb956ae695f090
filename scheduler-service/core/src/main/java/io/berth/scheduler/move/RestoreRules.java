package io.berth.scheduler.move;

import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.SettlementResult;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Decides which claims restore the allocations from before a move, or release those on its source. Pure. The input
 * comes from a settlement ({@link io.berth.scheduler.placement.PlacementClient#settle}), after which placement refuses
 * every earlier claim of the move. If another client changes a consumer after the settlement, placement refuses the
 * restoring claims because of the consumer generations in them.
 * <br>Source: nova {@code compute/manager.py} (_revert_allocation).
 */
final class RestoreRules {
    private static final RestoreResult DONE = new RestoreResult.Done();
    private static final RestoreResult DELETED =
            new RestoreResult.Gone("the instance holds no allocations: it was deleted");
    private static final RestoreResult CONFIRMED =
            new RestoreResult.Gone("the migration holds no allocations, and the instance holds others than before");
    private static final RestoreResult CHANGED =
            new RestoreResult.Gone("the instance holds other allocations than this move left it with");

    private RestoreRules() {}

    /**
     * The claims to write, and the result.
     *
     * @param claims the claims to write in one request; empty if nothing has to change
     * @param finalResult the result once the claims are written
     */
    record Restoration(List<Claim> claims, RestoreResult finalResult) {
        /** Returns the restoration that writes nothing. */
        private static Restoration nothing(RestoreResult then) {
            return new Restoration(List.of(), then);
        }
    }

    /**
     * Returns the claims that roll back or revert a move.
     *
     * @param instance the settled state of the instance
     * @param migration the settled state of the migration; null for a kind of move in which the migration holds nothing
     */
    static Restoration of(
            Move move, SettlementResult.SettledConsumer instance,
            @Nullable SettlementResult.SettledConsumer migration) {
        return move.state() == MoveState.REVERTING
                ? ofRevert(move, instance.held(), migration == null ? null : migration.held())
                : ofFailure(move, instance, migration);
    }

    /**
     * Restores the earlier allocations if the last write of the instance is a claim of this move, and the instance
     * holds allocations. Otherwise writes nothing for the instance: it still holds the earlier allocations, it was
     * deleted, or another client has written it since. Also releases what the migration holds by a claim of this move.
     */
    private static Restoration ofFailure(
            Move move, SettlementResult.SettledConsumer instance,
            @Nullable SettlementResult.SettledConsumer migration) {
        long lastNumber = FenceNumbers.lastOf(Objects.requireNonNull(move.number()));
        AllocationsResult.Allocations toRelease = migration != null
                && migration.isWrittenBy(move.firstNumber(), lastNumber)
                && !migration.held().allocations().isEmpty() ? migration.held() : null;
        if (instance.isWrittenBy(move.firstNumber(), lastNumber) && !instance.held().allocations().isEmpty()) {
            Claim restoring = Claim.replacing(move.instanceUuid(), instance.held(), move.heldBefore());
            return new Restoration(
                    toRelease == null ? List.of(restoring) : List.of(release(move, toRelease), restoring), DONE);
        }
        return toRelease == null
                ? Restoration.nothing(DONE)
                : new Restoration(List.of(release(move, toRelease)), DELETED);
    }

    /**
     * Restores the allocations that the migration holds for the source; those from before the move, if the instance
     * itself holds source and target. Writes nothing if they are restored already, if the instance or the migration
     * holds nothing, or if the instance itself held source and target and another client has changed that.
     */
    private static Restoration ofRevert(
            Move move, AllocationsResult.Allocations instance, @Nullable AllocationsResult.Allocations migration) {
        if (instance.allocations().equals(move.heldBefore())
                && (migration == null || migration.allocations().isEmpty())) {
            return Restoration.nothing(DONE);
        }
        if (instance.allocations().isEmpty()) {
            return Restoration.nothing(DELETED);
        }
        if (migration == null) {
            return instance.allocations().equals(move.heldAfter())
                    ? new Restoration(List.of(Claim.replacing(move.instanceUuid(), instance, move.heldBefore())), DONE)
                    : Restoration.nothing(CHANGED);
        }
        return migration.allocations().isEmpty()
                ? Restoration.nothing(CONFIRMED)
                : new Restoration(
                        List.of(release(move, migration),
                                Claim.replacing(move.instanceUuid(), instance, migration.allocations())),
                        DONE);
    }

    /**
     * Returns the claims that release the source: all allocations of the migration; or, if the instance itself holds
     * source and target, the amounts that the instance held before the move. There are no claims if nothing is left to
     * release, or if another client has changed the allocations of an instance that itself held source and target.
     *
     * @param holder the allocations of the consumer that holds the source
     */
    static Restoration ofConfirm(Move move, AllocationsResult.Allocations holder) {
        if (holder.allocations().isEmpty() || !move.kind().leavesSource()) {
            return Restoration.nothing(DONE);
        }
        if (move.kind().migrationHoldsSource()) {
            return new Restoration(List.of(release(move, holder)), DONE);
        }
        Map<String, Map<String, Long>> remaining =
                subtract(Objects.requireNonNull(move.heldAfter()), move.heldBefore());
        return holder.allocations().equals(remaining)
                ? Restoration.nothing(DONE)
                : holder.allocations().equals(move.heldAfter())
                        ? new Restoration(List.of(Claim.replacing(move.instanceUuid(), holder, remaining)), DONE)
                        : Restoration.nothing(CHANGED);
    }

    /**
     * Subtracts amounts per provider and class, because source and target may share a provider, such as a shared disk.
     */
    private static Map<String, Map<String, Long>> subtract(
            Map<String, Map<String, Long>> all, Map<String, Map<String, Long>> subtracted) {
        Map<String, Map<String, Long>> remaining = new HashMap<>();
        all.forEach((provider, amounts) -> amounts.forEach((resourceClass, amount) -> {
            long difference = amount - subtracted.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
            if (difference > 0) {
                remaining.computeIfAbsent(provider, _ -> new HashMap<>()).put(resourceClass, difference);
            }
        }));
        return remaining;
    }

    private static Claim release(Move move, AllocationsResult.Allocations migration) {
        return Claim.replacing(move.migrationUuid(), migration, Map.of());
    }
}
