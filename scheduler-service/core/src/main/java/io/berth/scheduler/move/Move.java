package io.berth.scheduler.move;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * The record of one move of one instance.
 *
 * @param sourceUuid compute node it leaves; null if none was named
 * @param heldBefore the instance's allocations before the move: provider uuid to resource class to amount
 * @param heldAfter its allocations after the move; null before
 * @param answer the response to the client; null before the instance is moved
 * @param firstNumber lowest number of a write of this move, see {@link io.berth.scheduler.lease.FenceNumbers}
 * @param number first number of its owner's block; null without an owner
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

    /** A move about to start, without a number yet. */
    public static Move of(
            UUID migrationUuid,
            UUID instanceUuid,
            MoveKind kind,
            @Nullable UUID sourceUuid,
            Map<String, Map<String, Long>> held,
            String requestId) {
        return new Move(
                migrationUuid, instanceUuid, kind, sourceUuid, MoveState.STARTED, held, null, null, requestId, 0, null, 0);
    }

    /** Returns whether a request is for this same move. */
    public boolean isOf(UUID instance, MoveKind askedKind, @Nullable UUID source) {
        return instanceUuid.equals(instance) && kind == askedKind && Objects.equals(sourceUuid, source);
    }
}
