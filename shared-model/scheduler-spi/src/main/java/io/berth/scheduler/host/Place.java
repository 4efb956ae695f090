package io.berth.scheduler.host;

import jakarta.annotation.Nullable;

/**
 * Where an instance is, or may be.
 *
 * @param nodename null: any node of the host
 */
public record Place(String host, @Nullable String nodename) {}
