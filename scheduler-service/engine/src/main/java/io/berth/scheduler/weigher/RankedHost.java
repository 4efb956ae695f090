package io.berth.scheduler.weigher;

import io.berth.scheduler.host.HostState;

/**
 * A host that passed all filters, with its weight.
 *
 * @param weight higher is better; 0 for a single host, which is not weighed
 * @param position index of the host among those that entered the weighing, from 0
 */
public record RankedHost(HostState host, double weight, int position) {}
