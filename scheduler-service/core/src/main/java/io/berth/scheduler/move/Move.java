package io.berth.scheduler.move;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The record of one move of one instance. Its owner is the replica that works on the move.
 *
 * @param migrationUuid uuid of nova's migration, which identifies the move
 * @param sourceUuid compute node that the instance leaves; null only for a shelved instance
 * @param heldBefore the instance's allocations before the move: provider uuid to resource class to amount
 * @param heldAfter the instance's allocations after the claim of the target; null until this claim is recorded
 * @param answer the response to the client; null until the claim of the target is recorded
 * @param requestId id of the last request that started the move or took it over
 * @param firstNumber lowest fence number of the move's writes, see {@link io.berth.scheduler.lease.FenceNumbers}
 * @param number first of the fence numbers that the database reserved for the owner; null without an owner
 * @param attempts failed attempts to restore the earlier allocations
 */
public record Move(
        UUID migrationUuid,
        UUID instanceUuid,
        MoveKind kind,
        @Nullable UUID sourceUuid,
        MoveState state,
        Map<String, Map<String, Long>> heldBefore,
        @Nullable Map<String, Map<String, Long>> heldAfter,
        @Nullable String answer,
        String requestId,
        long firstNumber,
        @Nullable Long number,
        int attempts) {
    public Move {
        Objects.requireNonNull(migrationUuid, "migrationUuid");
        Objects.requireNonNull(instanceUuid, "instanceUuid");
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(heldBefore, "heldBefore");
        Objects.requireNonNull(requestId, "requestId");
    }

    /** Returns a move in state STARTED that is not stored yet; the database assigns its fence numbers. */
    public static Move of(
            UUID migrationUuid,
            UUID instanceUuid,
            MoveKind kind,
            @Nullable UUID sourceUuid,
            Map<String, Map<String, Long>> held,
            String requestId) {
        return new Move(
                migrationUuid, instanceUuid, kind, sourceUuid, MoveState.STARTED, held, null, null, requestId, 0, null,
                0);
    }

    /** Returns whether a request with these values is a repetition of the one that began this move. */
    public boolean isBegunBy(UUID instance, MoveKind requestedKind, @Nullable UUID source) {
        return instanceUuid.equals(instance) && kind == requestedKind && Objects.equals(sourceUuid, source);
    }
}
