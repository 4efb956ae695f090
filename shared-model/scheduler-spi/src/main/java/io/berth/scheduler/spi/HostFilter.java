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
    /** What of earlier placements may change what a filter says of a host; each also what those before it name. */
    enum Heeds {
        /** Nothing of them, nor of anything else that placement tells of the host: its totals and what is used. */
        NOTHING,
        /** What was placed on the host. */
        HOST,
        /** Which of its allocation candidates the host is offered with. */
        CANDIDATES,
        /** Where else instances of the request's server group were placed. */
        GROUP
    }

    /** As in {@code enabled_filters}: the name of the class. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** Whether the answer is the same for all instances of a request, so that only the first one asks. */
    default boolean runsOncePerRequest() {
        return false;
    }

    /** Whether it also decides if an instance may be rebuilt in place; others let every host pass then. */
    default boolean runsOnRebuild() {
        return false;
    }

    /**
     * Whether the claim holds to the rule, too. Hosts that a request forces pass no filter: those who tell what would come of
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
