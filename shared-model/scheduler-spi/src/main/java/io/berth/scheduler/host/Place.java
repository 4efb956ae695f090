package io.berth.scheduler.host;

import jakarta.annotation.Nullable;

/**
 * The current or possible location of an instance.
 *
 * @param nodename null: any node of the host
 */
public record Place(String host, @Nullable String nodename) {}
