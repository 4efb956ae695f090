package io.berth.scheduler.move;

import io.berth.scheduler.selection.SelectionRequest;
import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * A move as it is asked for.
 *
 * @param migrationUuid names the move; a shelved instance may come without one, and is given one
 * @param sourceUuid compute node it leaves; null only for a shelved instance
 * @param request where the instance may go, as asked
 * @param userId who asks; null if unknown
 */
public record MoveRequest(
        MoveKind kind,
        UUID instanceUuid,
        UUID migrationUuid,
        @Nullable UUID sourceUuid,
        SelectionRequest request,
        @Nullable String userId) {}
