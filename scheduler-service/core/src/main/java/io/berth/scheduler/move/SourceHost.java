package io.berth.scheduler.move;

import jakarta.annotation.Nullable;

/**
 * The host that an instance leaves.
 *
 * @param host name of the host
 * @param cellUuid null if the host is in no cell, or is not registered
 */
public record SourceHost(String host, @Nullable String cellUuid) {}
