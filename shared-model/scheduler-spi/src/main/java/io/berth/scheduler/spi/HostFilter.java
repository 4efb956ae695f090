package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.List;

/**
 * Decides for each host whether the host is suitable for an instance.
 *
 * <p>A filter is called for each host that has passed the previous filters, up to thousands of times per request and by
 * concurrent requests, on threads that must not be blocked. An implementation keeps no state, does no I/O, and reads
 * neither clock nor configuration, because all options come with the call. An implementation does not throw; if it
 * cannot evaluate a request, it returns {@link Verdict.Failed}.
 * <br>Source: nova {@code scheduler/filters/__init__.py}.
 */
public interface HostFilter {
    /**
     * The earlier selections, for other instances, that can change a filter's verdict on a host. Each constant includes
     * the previous ones.
     */
    enum Sensitivity {
        /**
         * No earlier selection changes the verdict. Nor do the data that placement returns for the host, such as totals
         * and usage.
         */
        NOTHING,
        /** A selection of the same host may change the verdict. */
        HOST,
        /** A change of the host's allocation candidates may change the verdict, too. */
        CANDIDATES,
        /** The selection of another host for a member of the request's server group may change the verdict, too. */
        GROUP
    }

    /** Returns the name for {@code enabled_filters}: the simple name of the class. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Returns whether the verdict on a host is the same for all instances of a request, so that it is only computed for
     * the first instance.
     */
    default boolean runsOncePerRequest() {
        return false;
    }

    /**
     * Returns whether the filter also runs if nova checks a rebuild of an instance on its present host. Other filters
     * are skipped in such a check.
     */
    default boolean runsOnRebuild() {
        return false;
    }

    /**
     * Returns whether the claim enforces the same rule. Forced hosts skip the filters, but not the claim. An analysis,
     * which predicts a result without a claim, therefore runs such filters on forced hosts, too.
     */
    default boolean holdsAtClaim() {
        return false;
    }

    /**
     * Declares which earlier selections can change this filter's verdict. Capacity counting reuses a verdict until such
     * a selection is made. The default is always correct, but slower.
     */
    default Sensitivity sensitivity() {
        return Sensitivity.GROUP;
    }

    /**
     * Returns the verdict on one host.
     *
     * @param spec the request, whose {@code instanceUuid} is the instance that is placed in this round
     */
    Verdict check(HostState host, RequestSpec spec, Options options);

    /**
     * Returns a check with the same verdicts for the hosts of one round. {@link PreparedFilter} says when to override
     * this method.
     */
    default HostCheck prepare(RequestSpec spec, Options options) {
        return host -> check(host, spec, options);
    }

    /**
     * Returns alternative changes, any of which might remove the reason for which this filter rejected a host; changes
     * of the cloud come before changes of the request. Empty if the filter proposes none. Called for explanations only.
     * An explanation tries each proposed change, so a filter may propose a change that does not suffice.
     *
     * @param host the rejected host
     * @param reason the reason of this filter's {@link Verdict.Reject}
     */
    default List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return List.of();
    }
}
