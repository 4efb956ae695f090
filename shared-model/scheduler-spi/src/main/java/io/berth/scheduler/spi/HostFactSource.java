package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Fetches data about hosts, such as the trust level of a node, from another service before the filters run. Filters
 * must not do I/O; they read the data that this interface has added to the host states.
 */
public interface HostFactSource {
    /** Returns each host unchanged. */
    UnaryOperator<HostState> AS_REPORTED = host -> host;

    /** Returns whether the filter depends on the data. {@link #find} is called only if such a filter is enabled. */
    boolean serves(HostFilter filter);

    /**
     * Fetches the data about these hosts. Must not block.
     *
     * @param hosts the hosts on which the filters will run
     * @return completes with a function that adds the data to a host state. Must not fail: if the data about a host
     *         cannot be fetched, the function adds a value that means "unknown"
     */
    CompletionStage<UnaryOperator<HostState>> find(RequestSpec spec, Collection<HostState> hosts);
}
