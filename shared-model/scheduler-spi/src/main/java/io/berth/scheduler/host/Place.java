package io.berth.scheduler.host;

import jakarta.annotation.Nullable;

/**
 * The location of an instance: a host and one of its nodes.
 *
 * @param host name of the compute service
 * @param nodename name of the node; null for any node of the host
 */
public record Place(String host, @Nullable String nodename) {}
