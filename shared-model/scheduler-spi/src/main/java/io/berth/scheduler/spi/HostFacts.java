package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Fetches facts about hosts from another service before the filters run, such as the trust level of a node. A filter
 * does no I/O itself; it reads the facts that were added to the host.
 */
public interface HostFacts {
    /** Adds nothing to a host. */
    UnaryOperator<HostState> AS_REPORTED = host -> host;

    /**
     * Returns whether a verdict of the filter depends on these facts; they are fetched only if such a filter is
     * enabled.
     */
    boolean serves(HostFilter filter);

    /**
     * Fetches the facts about these hosts. Must not block.
     *
     * @param hosts the hosts that placement offered for the request
     * @return completes with a function that adds the facts to a host. Never fails: if the service does not respond
     *         about a host, the function adds a value that says so
     */
    CompletionStage<UnaryOperator<HostState>> find(RequestSpec spec, Collection<HostState> hosts);
}
