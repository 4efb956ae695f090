package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;

/**
 * Decides host by host whether an instance may go there.
 *
 * <p>Called where nothing may block, for every host that earlier filters let through, in the order of the hosts: up to
 * thousands of times per request. An implementation keeps no state, does no I/O, reads neither clock nor configuration
 * (all options come with the call) and does not throw: if it cannot evaluate a request it returns {@link
 * Verdict.Failed}.
 * <br>Source: nova {@code scheduler/filters/__init__.py}.
 */
public interface HostFilter {
    /** The earlier placements that can change a filter's verdict on a host. Each constant includes those before it. */
    enum Heeds {
        /** Neither placements nor anything else that placement returns for the host, such as totals and usage. */
        NOTHING,
        /** Placements on the host. */
        HOST,
        /** The set of allocation candidates with which the host is offered. */
        CANDIDATES,
        /** Placements of the request's server group on other hosts, too. */
        GROUP
    }

    /** Returns the name of the class, as in {@code enabled_filters}. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Returns whether the verdict is the same for all instances of a request: then it is computed for the first one
     * only.
     */
    default boolean runsOncePerRequest() {
        return false;
    }

    /**
     * Returns whether it also decides if an instance may be rebuilt in place; other filters let every host pass then.
     */
    default boolean runsOnRebuild() {
        return false;
    }

    /**
     * Returns whether the claim enforces the rule, too. Forced hosts skip the filters; an analysis that predicts the
     * result of a request without a claim runs these filters on them.
     */
    default boolean holdsAtClaim() {
        return false;
    }

    /**
     * Declares which earlier placements can change this filter's verdict; capacity counting reuses verdicts
     * accordingly. The default is always correct, only slower.
     */
    default Heeds heeds() {
        return Heeds.GROUP;
    }

    /** @param spec its {@code instanceUuid} is the instance of this round */
    Verdict check(HostState host, RequestSpec spec, Options options);

    /**
     * Returns a check with the same results for the hosts of one round; {@link PreparedFilter} explains when it is
     * worth code.
     */
    default HostCheck prepare(RequestSpec spec, Options options) {
        return host -> check(host, spec, options);
    }
}
