package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * A request that was decided by {@code POST /v1/select_destinations}, or by the same call of nova.
 *
 * @param id of its record
 * @param body JSON as the client sent it; null if it was too large to be recorded, or if {@code isLeftOut}
 * @param isOmitted whether the body exceeds the limit for all returned bodies
 */
public record RecordedSelection(UUID id, @Nullable byte[] body, boolean isOmitted) {}
