package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.text.WireNamed;
import java.util.ArrayList;
import java.util.List;

/**
 * One obstacle that keeps an instance off a host. A decision finds only the first obstacle of a host, because a
 * decision runs a filter only on hosts that passed the previous filters. {@link #of} finds all obstacles.
 *
 * @param by name of the member of the request, or of the filter, that excludes the host
 * @param remedies changes that might each remove the obstacle; they were not tried
 */
public record HostObstacle(Stage stage, String by, Reason reason, List<Remedy> remedies) {
    /**
     * The reason code of a filter that cannot evaluate the request on the host; such a reason has no compared values.
     */
    public static final String NOT_EVALUATED = "not_evaluated";

    /** The stage at which the obstacle applies. */
    public enum Stage implements WireNamed {
        /** The request's own restrictions: destination, ignored hosts, forced hosts and nodes. */
        PREFILTER,
        FILTER,
        /**
         * The claim. Forced hosts skip the filters, but the claim enforces the rules of some filters. On every host,
         * the claim needs a root provider that supplies some of the resources.
         */
        CLAIM;

        /** Returns the stage of obstacles that filters find after the preselection. */
        public static Stage after(Preselection preselection) {
            return preselection.forced() ? CLAIM : FILTER;
        }
    }

    /**
     * Returns all obstacles of a host for the first instance of a request. Each filter gets the host with the
     * allocation candidates that the previous filters kept; a filter that rejects the host leaves them unchanged.
     */
    public static List<HostObstacle> of(HostState host, RequestSpec requested, SchedulingInputs inputs) {
        RequestSpec spec = requested.instanceUuids().isEmpty()
                ? requested
                : requested.toBuilder().instanceUuid(requested.instanceUuids().getFirst()).build();
        Preselection preselection = Preselection.of(List.of(host), spec);
        List<HostObstacle> obstacles = new ArrayList<>();
        Preselection.allAgainst(host, spec).forEach(
                dropped -> obstacles.add(new HostObstacle(
                        Stage.PREFILTER, dropped.by(), dropped.reason(), dropped.remedies())));
        Stage stage = Stage.after(preselection);
        HostState current = host;
        for (HostFilter filter : FilterChain.filtersInRound(inputs.filtersOf(spec), spec, 0)) {
            switch (filter.prepare(spec, inputs.options()).check(current)) {
                case Verdict.Remaining remaining -> current = remaining.applyTo(current);
                case Verdict.Reject(Reason reason) -> obstacles.add(new HostObstacle(
                        stage, filter.name(), reason, filter.remedies(current, spec, reason)));
                case Verdict.Failed(String detail) -> obstacles.add(new HostObstacle(
                        stage, filter.name(), Reason.of(NOT_EVALUATED, "%3$s", List.of(), List.of(), detail),
                        List.of()));
            }
        }
        if (host.allocationCandidates().isEmpty() && !spec.schedulerHints().asksForRebuildCheck()) {
            obstacles.add(ofRoot(host));
        }
        return obstacles;
    }

    /**
     * Returns the obstacle of a host without allocation candidates, whose root provider would supply none of the
     * requested resources.
     */
    public static HostObstacle ofRoot(HostState host) {
        return new HostObstacle(Stage.CLAIM, FilterChain.ROOT_PROVIDER_STEP, FilterChain.rootProviderReason(host),
                List.of());
    }
}
