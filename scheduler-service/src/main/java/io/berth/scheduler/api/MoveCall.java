package io.berth.scheduler.api;

import io.berth.scheduler.decision.Constraints;
import io.berth.scheduler.move.MoveKind;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * A move as it is asked for.
 *
 * @param migrationUuid names the move; a shelved instance may come without one, and is given one
 * @param sourceUuid compute node it leaves; null only for a shelved instance
 * @param spec where the instance may go, as asked
 * @param open what of the spec is to be derived from flavor and image
 */
record MoveCall(
        MoveKind kind,
        UUID instanceUuid,
        UUID migrationUuid,
        @Nullable UUID sourceUuid,
        RequestSpec spec,
        Constraints.Open open) {}
