/**
 * A host as the scheduler sees it during a decision: {@link io.berth.scheduler.host.HostFacts}, which all requests
 * share, and {@link io.berth.scheduler.host.HostState}, to which a request adds what it may take. The package
 * {@code states} builds them from placement's response and the registry ({@code registry}); this package uses neither.
 *
 * <p>Immutable values without I/O; a claim that is consumed makes a new HostState. Must not depend on filters, weighers
 * or the decision.
 */
package io.berth.scheduler.host;
