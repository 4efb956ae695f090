package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * A request that was decided by {@code POST /v1/select_destinations}, or by nova's call.
 *
 * @param body as the client sent it; null if it was too large to keep, or does not fit with the others
 * @param isLeftOut whether it does not fit with the others
 */
public record RecordedSelection(UUID id, @Nullable byte[] body, boolean isLeftOut) {}
