/**
 * A host as the scheduler sees it while it decides: {@link io.berth.scheduler.host.HostFacts}, which all requests
 * share, and {@link io.berth.scheduler.host.HostState}, to which a request adds its candidates. The scheduler's package
 * {@code host.states} creates them from placement's response and from the registered data in {@code host.registry};
 * this package knows neither.
 *
 * <p>Immutable values without I/O; consuming a claim creates a new HostState. Must not depend on filters, weighers or
 * the decision.
 */
package io.berth.scheduler.host;
