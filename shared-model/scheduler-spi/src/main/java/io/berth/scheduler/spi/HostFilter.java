package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;

/**
 * Decides host by host whether an instance may go there.
 *
 * <p>A filter is called on a thread that must not block, for each host that the filters before it let pass: up to
 * thousands of times per request. An implementation keeps no state, does no I/O, reads neither clock nor configuration
 * (all options come with the call) and does not throw: if it cannot evaluate a request it returns {@link
 * Verdict.Failed}.
 * <br>Source: nova {@code scheduler/filters/__init__.py}.
 */
public interface HostFilter {
    /**
     * The earlier choices of a host that can change a filter's verdict on a host. Each constant includes the ones
     * before it.
     */
    enum Heeds {
        /**
         * No earlier choice can, nor anything else that the placement service returns for the host, such as totals and
         * usage.
         */
        NOTHING,
        /** Choices of the same host can. */
        HOST,
        /** Changes of the host's allocation candidates can, too. */
        CANDIDATES,
        /** Choices of other hosts for members of the request's server group can, too. */
        GROUP
    }

    /** Returns the name of the class, as in {@code enabled_filters}. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Returns whether the verdict is the same for all instances of a request. If so, it is computed only for the first.
     */
    default boolean runsOncePerRequest() {
        return false;
    }

    /**
     * Returns whether the filter also runs when nova checks a rebuild of an instance on its host. Other filters let
     * every host pass then.
     */
    default boolean runsOnRebuild() {
        return false;
    }

    /**
     * Returns whether the claim enforces the rule, too. Forced hosts skip the filters, but not the claim. An analysis
     * that predicts a result without a claim therefore runs such filters on forced hosts.
     */
    default boolean holdsAtClaim() {
        return false;
    }

    /**
     * Declares which earlier choices of a host can change this filter's verdict. The count of free capacity reuses the
     * verdict until one of them happens. The default is always correct, but slower.
     */
    default Heeds heeds() {
        return Heeds.GROUP;
    }

    /**
     * Returns the verdict on one host.
     *
     * @param spec its {@code instanceUuid} is the instance that is placed in this round
     */
    Verdict check(HostState host, RequestSpec spec, Options options);

    /**
     * Returns a check with the same results for the hosts of one round; {@link PreparedFilter} explains when to
     * override it.
     */
    default HostCheck prepare(RequestSpec spec, Options options) {
        return host -> check(host, spec, options);
    }
}
