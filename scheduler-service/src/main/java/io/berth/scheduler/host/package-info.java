/**
 * What the scheduler knows of a host while it decides: {@link io.berth.scheduler.host.HostState} and its parts,
 * made per request by {@link io.berth.scheduler.host.HostStates} from placement's answer and the host registry.
 *
 * <p>Immutable values without I/O; a claim that is consumed makes a new HostState. Must not depend on filters,
 * weighers or the decision.
 */
package io.berth.scheduler.host;
