package io.berth.scheduler.host;

import jakarta.annotation.Nullable;

/**
 * A host and node as the location of an instance, present or permitted.
 *
 * @param nodename null means any node of the host
 */
public record Place(String host, @Nullable String nodename) {}
