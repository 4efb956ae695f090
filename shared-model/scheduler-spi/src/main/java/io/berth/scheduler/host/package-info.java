/**
 * A host as the scheduler sees it while it decides: {@link io.berth.scheduler.host.HostFacts}, which all requests
 * share, and {@link io.berth.scheduler.host.HostState}, to which a request adds its candidates. Created in {@code
 * states} from placement's response and registered data ({@code registry}), neither of which is known here.
 *
 * <p>Immutable values without I/O; consuming a claim creates a new HostState. Must not depend on filters, weighers or
 * the decision.
 */
package io.berth.scheduler.host;
