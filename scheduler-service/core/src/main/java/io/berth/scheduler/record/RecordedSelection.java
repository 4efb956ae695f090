package io.berth.scheduler.record;

import jakarta.annotation.Nullable;
import java.util.UUID;

/**
 * A request that was decided by {@code POST /v1/select_destinations}, or by nova's RPC {@code select_destinations}.
 *
 * @param id id of the decision record of this request
 * @param body JSON as the client sent it; null if it was too large to be recorded, or if {@code isOmitted}
 * @param isOmitted whether the body was left out because the bodies of this result exceed 4 MiB together
 */
public record RecordedSelection(UUID id, @Nullable byte[] body, boolean isOmitted) {}
