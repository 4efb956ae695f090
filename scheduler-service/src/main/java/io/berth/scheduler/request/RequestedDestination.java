package io.berth.scheduler.request;

import jakarta.annotation.Nullable;

/**
 * Where a move or an operator wants the instance.
 *
 * @param host null: any
 * @param node null: any node of the host
 * @param cellUuid restriction, or with cross-cell moves allowed a preference
 */
public record RequestedDestination(
        @Nullable String host, @Nullable String node, @Nullable String cellUuid, boolean allowCrossCellMove) {}
