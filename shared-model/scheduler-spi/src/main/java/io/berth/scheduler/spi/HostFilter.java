package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;

/**
 * Decides host by host whether an instance may go there.
 *
 * <p>Called where nothing may wait, for every host that the filters before let through, in the order of the hosts: up to
 * thousands of times per request. An implementation keeps no state, does no I/O, reads neither clock nor configuration
 * (all options come with the call) and does not throw: what it cannot evaluate is a {@link Verdict.Failed}.
 * <br>Source: nova {@code scheduler/filters/__init__.py}.
 */
public interface HostFilter {
    /** Which earlier placements can change the verdict of a filter on a host. Each constant includes those before it. */
    enum Heeds {
        /** None, nor anything else that placement returns for the host, such as totals and usage. */
        NOTHING,
        /** Placements on the host. */
        HOST,
        /** Which of its allocation candidates the host is offered with. */
        CANDIDATES,
        /** Placements of the request's server group on other hosts, too. */
        GROUP
    }

    /** Returns the name of the class, as in {@code enabled_filters}. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Returns whether the verdict is the same for all instances of a request: then it is computed for the first one only. */
    default boolean runsOncePerRequest() {
        return false;
    }

    /** Returns whether it also decides if an instance may be rebuilt in place; other filters let every host pass then. */
    default boolean runsOnRebuild() {
        return false;
    }

    /**
     * Returns whether the claim holds to the rule, too. Hosts that a request forces pass no filter: those who tell what would come of
     * a request, and claim nothing, ask them these.
     */
    default boolean holdsAtClaim() {
        return false;
    }

    /**
     * For those who count how many instances a host takes: what is said once need not be asked again. Promises no more
     * than a filter keeps; a filter that says nothing is asked for every single placement.
     */
    default Heeds heeds() {
        return Heeds.GROUP;
    }

    /** @param spec its {@code instanceUuid} is the instance of this round */
    Verdict check(HostState host, RequestSpec spec, Options options);

    /** The same answers for the hosts of one round; {@link PreparedFilter} says when it is worth its own code. */
    default HostCheck prepare(RequestSpec spec, Options options) {
        return host -> check(host, spec, options);
    }
}
