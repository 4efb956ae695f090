/**
 * Builds the hosts that filters and weighers see from placement's response and the registry.
 * {@link io.berth.scheduler.host.states.HostTable}, used by {@code search}, caches them between requests;
 * {@link io.berth.scheduler.host.states.HostStates} defines what is a host and builds them without a cache. This
 * package must not depend on filters, weighers or decisions.
 */
package io.berth.scheduler.host.states;
