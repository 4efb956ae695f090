package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * A request that was decided by {@code POST /v1/select_destinations}, or nova's call.
 *
 * @param body as the client sent it; null where it was too large to keep, or is with the others
 * @param isLeftOut it is too large with the others
 */
public record RecordedSelection(UUID id, @Nullable byte[] body, boolean isLeftOut) {}
