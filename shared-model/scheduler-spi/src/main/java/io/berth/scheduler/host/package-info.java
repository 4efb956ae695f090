/**
 * What the scheduler knows of a host while it decides: {@link io.berth.scheduler.host.HostFacts}, which all requests
 * share, and {@link io.berth.scheduler.host.HostState}, to which a request adds what it may take. Made in {@code states}
 * from placement's answer and what is registered ({@code registry}), neither of which is known here.
 *
 * <p>Immutable values without I/O; a claim that is consumed makes a new HostState. Must not depend on filters,
 * weighers or the decision.
 */
package io.berth.scheduler.host;
