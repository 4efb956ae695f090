package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.Collection;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;

/**
 * Queries another service about hosts before the filters run, such as for the trust level of a node. A filter does no
 * I/O itself; it reads what this added to the host.
 */
public interface HostFacts {
    /** Leaves hosts as they were reported. */
    UnaryOperator<HostState> AS_REPORTED = host -> host;

    /**
     * Returns whether a verdict of the filter depends on these facts; they are fetched only if such a filter is
     * enabled.
     */
    boolean serves(HostFilter filter);

    /**
     * Must not block.
     *
     * @param hosts that placement offered for the request
     * @return completes with a function that adds the facts to a host; it never fails: a host without a response keeps
     * a value that says so
     */
    CompletionStage<UnaryOperator<HostState>> find(RequestSpec spec, Collection<HostState> hosts);
}
