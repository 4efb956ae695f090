package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;

/**
 * Decides host by host whether an instance may go there.
 *
 * <p>Runs on threads that must not block, for every host that the earlier filters passed, in the order of the hosts: up
 * to thousands of times per request. An implementation keeps no state, does no I/O, reads neither clock nor
 * configuration (all options come with the call) and does not throw: what it cannot evaluate is a
 * {@link Verdict.Failed}.
 * <br>Source: nova {@code scheduler/filters/__init__.py}.
 */
public interface HostFilter {
    /**
     * Declares which earlier placements can change the verdict of a filter on a host. Each constant includes those
     * before it.
     */
    enum Heeds {
        /**
         * The verdict depends on no placement, nor on anything else that placement returns for the host, such as totals
         * and usage.
         */
        NOTHING,
        /** The verdict depends on placements on the host. */
        HOST,
        /** The verdict depends on the allocation candidates that the host is offered with. */
        CANDIDATES,
        /** The verdict depends on placements of the request's server group on other hosts, too. */
        GROUP
    }

    /** Returns the name of the class, as in {@code enabled_filters}. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Returns whether the verdict is the same for all instances of a request, so that only the first computes it. */
    default boolean runsOncePerRequest() {
        return false;
    }

    /** Returns whether it also decides if an instance may be rebuilt in place; other filters then pass every host. */
    default boolean runsOnRebuild() {
        return false;
    }

    /**
     * Returns whether the claim enforces the rule, too. Hosts that a request forces skip all filters; an analysis that
     * predicts the outcome of such a request without claiming runs these filters on them.
     */
    default boolean holdsAtClaim() {
        return false;
    }

    /**
     * Declares which earlier placements can change this filter's verdict, so that capacity counting can reuse verdicts.
     * The default is always correct, only slower.
     */
    default Heeds heeds() {
        return Heeds.GROUP;
    }

    /** @param spec its {@code instanceUuid} is the instance of this round */
    Verdict check(HostState host, RequestSpec spec, Options options);

    /**
     * Returns a check with the same verdicts for the hosts of one round; see {@link PreparedFilter} for when to
     * override it.
     */
    default HostCheck prepare(RequestSpec spec, Options options) {
        return host -> check(host, spec, options);
    }
}
