/**
 * Hosts as filters and weighers see them. {@link io.berth.scheduler.host.HostFacts} is the data that all requests
 * share; {@link io.berth.scheduler.host.HostState} adds the allocation candidates and limits of one request. The
 * scheduler's package {@code host.states} creates both from placement's responses and from the data that compute nodes
 * and operators registered ({@code host.registry}).
 *
 * <p>All types but builders are immutable, and none does I/O. The package must not depend on filters, weighers, the
 * decision, placement's responses or the registry.
 */
package io.berth.scheduler.host;
