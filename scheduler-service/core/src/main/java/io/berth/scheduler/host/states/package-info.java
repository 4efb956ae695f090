/**
 * {@link io.berth.scheduler.host.states.HostStates}: the hosts a request may be placed on, made from placement's answer
 * and what is registered. Must not know filters, weighers or decisions.
 */
package io.berth.scheduler.host.states;
