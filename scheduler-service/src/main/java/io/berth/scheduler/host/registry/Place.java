package io.berth.scheduler.host.registry;

import jakarta.annotation.Nullable;

/**
 * Where an instance runs.
 *
 * @param nodename null: any node of the host
 */
record Place(String host, @Nullable String nodename) {}
