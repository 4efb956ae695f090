package io.berth.scheduler.host;

import jakarta.annotation.Nullable;

/**
 * The host and node on which an instance is, or may be.
 *
 * @param nodename null stands for any node of the host
 */
public record Place(String host, @Nullable String nodename) {}
