package io.berth.scheduler.move;

import jakarta.annotation.Nullable;

/**
 * The host an instance leaves.
 *
 * @param cellUuid null if it is in no cell
 */
public record SourceHost(String host, @Nullable String cellUuid) {}
