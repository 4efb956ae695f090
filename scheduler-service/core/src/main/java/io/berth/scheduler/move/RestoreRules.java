package io.berth.scheduler.move;

import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.SettlementResult;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Decides how the allocations from before a move are restored. Pure: the allocations of the instance and its
 * migration were settled, so it is final except for writes of other clients, which the generations of the claims
 * detect.
 * <br>Source: nova {@code compute/manager.py} (_revert_allocation).
 */
final class RestoreRules {
    private static final RestoreResult DONE = new RestoreResult.Done();
    private static final RestoreResult DELETED = new RestoreResult.Gone("the instance holds no allocations: it was deleted");
    private static final RestoreResult CONFIRMED =
            new RestoreResult.Gone("the migration holds no allocations, and the instance holds others than before");
    private static final RestoreResult CHANGED =
            new RestoreResult.Gone("the instance holds other allocations than this move left it with");

    private RestoreRules() {}

    /**
     * @param claims the claims to write in one request; empty if nothing has to change
     * @param then the result of the attempt once they are written
     */
    record Restoration(List<Claim> claims, RestoreResult then) {
        private static Restoration nothing(RestoreResult then) {
            return new Restoration(List.of(), then);
        }
    }

    /** @param migration null for a move in which the instance keeps the source's allocations */
    static Restoration of(
            Move move, SettlementResult.Consumer instance, @Nullable SettlementResult.Consumer migration) {
        return move.state() == MoveState.REVERTING
                ? ofRevert(move, instance.held(), migration == null ? null : migration.held())
                : ofFailure(move, instance, migration);
    }

    /** Rolls back only the move's own last writes. */
    private static Restoration ofFailure(
            Move move, SettlementResult.Consumer instance, @Nullable SettlementResult.Consumer migration) {
        long last = FenceNumbers.lastOf(Objects.requireNonNull(move.number()));
        boolean releasesMigration = migration != null
                && migration.isWrittenBy(move.firstNumber(), last)
                && !migration.held().allocations().isEmpty();
        if (instance.isWrittenBy(move.firstNumber(), last) && !instance.held().allocations().isEmpty()) {
            Claim before = Claim.replacing(move.instanceUuid(), instance.held(), move.heldBefore());
            return new Restoration(
                    releasesMigration ? List.of(release(move, migration.held()), before) : List.of(before), DONE);
        }
        return releasesMigration
                ? new Restoration(List.of(release(move, migration.held())), DELETED)
                : Restoration.nothing(DONE);
    }

    private static Restoration ofRevert(
            Move move, AllocationsAnswer.Held instance, @Nullable AllocationsAnswer.Held migration) {
        if (instance.allocations().equals(move.heldBefore()) && (migration == null || migration.allocations().isEmpty())) {
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
                        List.of(release(move, migration), Claim.replacing(move.instanceUuid(), instance, migration.allocations())),
                        DONE);
    }

    /**
     * Returns the releases of a confirmation: all that the migration holds; or, if the instance holds the allocations
     * on both hosts, those that it held before the move.
     */
    static Restoration ofConfirm(Move move, AllocationsAnswer.Held holder) {
        if (holder.allocations().isEmpty() || !move.kind().leavesSource()) {
            return Restoration.nothing(DONE);
        }
        if (move.kind().handsOver()) {
            return new Restoration(List.of(release(move, holder)), DONE);
        }
        Map<String, Map<String, Long>> left = without(Objects.requireNonNull(move.heldAfter()), move.heldBefore());
        return holder.allocations().equals(left)
                ? Restoration.nothing(DONE)
                : holder.allocations().equals(move.heldAfter())
                        ? new Restoration(List.of(Claim.replacing(move.instanceUuid(), holder, left)), DONE)
                        : Restoration.nothing(CHANGED);
    }

    /**
     * Subtracts amounts by provider and class, because both hosts may have providers in common, such as a shared disk.
     */
    private static Map<String, Map<String, Long>> without(
            Map<String, Map<String, Long>> all, Map<String, Map<String, Long>> taken) {
        Map<String, Map<String, Long>> left = new HashMap<>();
        all.forEach((provider, amounts) -> amounts.forEach((resourceClass, amount) -> {
            long rest = amount - taken.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
            if (rest > 0) {
                left.computeIfAbsent(provider, made -> new HashMap<>()).put(resourceClass, rest);
            }
        }));
        return left;
    }

    private static Claim release(Move move, AllocationsAnswer.Held migration) {
        return Claim.replacing(move.migrationUuid(), migration, Map.of());
    }
}
