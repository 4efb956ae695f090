package io.berth.scheduler.weigher;

import io.berth.scheduler.host.HostState;

/**
 * A host that passed all filters, with its weight.
 *
 * @param weight higher is better; 0 for a lone host
 * @param position among the hosts as they entered the weighing
 */
public record RankedHost(HostState host, double weight, int position) {}
