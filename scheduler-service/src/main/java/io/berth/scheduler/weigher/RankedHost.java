package io.berth.scheduler.weigher;

import io.berth.scheduler.host.HostState;

/**
 * A host that passed all filters.
 *
 * @param weight higher is better; 0 for a lone host
 */
public record RankedHost(HostState host, double weight) {}
