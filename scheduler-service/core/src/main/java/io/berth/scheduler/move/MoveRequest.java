package io.berth.scheduler.move;

import io.berth.scheduler.selection.SelectionRequest;
import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * A request to move an instance.
 *
 * @param migrationUuid uuid of nova's migration, which identifies the move; generated if the request for a shelved
 *     instance has none
 * @param sourceUuid compute node that the instance leaves; null only for a shelved instance
 * @param request the demands on the target, as the client sent them
 * @param userId id of the user who sent the request; null if unknown
 */
public record MoveRequest(
        MoveKind kind,
        UUID instanceUuid,
        UUID migrationUuid,
        @Nullable UUID sourceUuid,
        SelectionRequest request,
        @Nullable String userId) {}
