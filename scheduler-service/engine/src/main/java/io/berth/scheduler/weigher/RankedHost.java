package io.berth.scheduler.weigher;

import io.berth.scheduler.host.HostState;

/**
 * A host that passed all filters, with its weight.
 *
 * @param weight the sum of the contributions of all weighers; higher is better. 0 for a single host, which is not
 *         weighed
 * @param position index of the host in the list of weighed hosts, from 0
 */
public record RankedHost(HostState host, double weight, int position) {}
