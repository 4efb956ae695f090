package io.berth.scheduler.move;

import io.berth.scheduler.selection.SelectionRequest;
import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * A request to move an instance.
 *
 * @param migrationUuid names the move; a shelved instance may come without one, and gets a generated one
 * @param sourceUuid compute node it leaves; null only for a shelved instance
 * @param request the constraints on the target, as requested
 * @param userId the user who sent the request; null if unknown
 */
public record MoveRequest(
        MoveKind kind,
        UUID instanceUuid,
        UUID migrationUuid,
        @Nullable UUID sourceUuid,
        SelectionRequest request,
        @Nullable String userId) {}
