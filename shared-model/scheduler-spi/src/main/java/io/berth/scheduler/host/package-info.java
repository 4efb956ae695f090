/**
 * Hosts as filters and weighers see them. {@link io.berth.scheduler.host.HostFacts} is the data that all requests
 * share; {@link io.berth.scheduler.host.HostState} adds the allocation candidates and limits of one request. The
 * scheduler's package {@code host.states} creates both from placement's responses and from the registered data of
 * {@code host.registry}, neither of which this package knows.
 *
 * <p>All types are immutable values without I/O. The package must not depend on filters, weighers or the decision.
 */
package io.berth.scheduler.host;
