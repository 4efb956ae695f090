/**
 * Makes the hosts on which a request may be placed from placement's response and the registered records:
 * {@link io.berth.scheduler.host.states.HostStates}. This package must not know filters, weighers or decisions.
 */
package io.berth.scheduler.host.states;
