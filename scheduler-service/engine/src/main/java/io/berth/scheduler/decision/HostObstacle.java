package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.text.WireNamed;
import java.util.ArrayList;
import java.util.List;

/**
 * One obstacle that keeps an instance off a host. All obstacles of a host are listed, including those that a decision
 * never reaches, because it evaluates each filter only on the hosts that passed the earlier ones.
 *
 * @param by the member of the request, or the filter, that excludes the host
 */
public record HostObstacle(Stage stage, String by, Reason reason) {
    /** The reason code if the filter cannot evaluate the request on this host; such a reason has no values. */
    public static final String NOT_EVALUATED = "not_evaluated";

    /** The stage at which the obstacle applies. */
    public enum Stage implements WireNamed {
        /** The request's own restrictions: its destination, ignored hosts, forced hosts and nodes. */
        PREFILTER,
        FILTER,
        /**
         * The claim. Forced hosts skip the filters but not the claim, which enforces some of the filters' rules. On
         * every host, the claim needs a root provider that supplies some of the resources.
         */
        CLAIM;

        /** Returns the stage of obstacles that apply after the preselection. */
        public static Stage after(Preselection preselection) {
            return preselection.forced() ? CLAIM : FILTER;
        }
    }

    /**
     * Returns all obstacles of the host for the first instance of the request. Each filter sees the host with the
     * allocation candidates that the earlier filters kept.
     */
    public static List<HostObstacle> of(HostState host, RequestSpec asked, SchedulingInputs inputs) {
        RequestSpec spec = asked.instanceUuids().isEmpty()
                ? asked
                : asked.toBuilder().instanceUuid(asked.instanceUuids().getFirst()).build();
        Preselection preselection = Preselection.of(List.of(host), spec);
        List<HostObstacle> obstacles = new ArrayList<>();
        Preselection.allAgainst(host, spec).forEach(
                dropped -> obstacles.add(new HostObstacle(Stage.PREFILTER, dropped.by(), dropped.reason())));
        Stage stage = Stage.after(preselection);
        HostState now = host;
        for (HostFilter filter : FilterChain.takingPart(inputs.filtersOf(spec), spec, 0)) {
            switch (filter.prepare(spec, inputs.options()).check(now)) {
                case Verdict.Remaining remaining -> now = remaining.applyTo(now);
                case Verdict.Reject(Reason reason) ->
                    obstacles.add(new HostObstacle(stage, filter.name(), reason));
                case Verdict.Failed(String detail) -> obstacles.add(new HostObstacle(
                        stage, filter.name(), Reason.of(NOT_EVALUATED, "%3$s", List.of(), List.of(), detail)));
            }
        }
        if (host.allocationCandidates().isEmpty() && !spec.schedulerHints().asksForRebuildCheck()) {
            obstacles.add(ofRoot(host));
        }
        return obstacles;
    }

    /** Returns the obstacle of a host whose child providers supply all the requested resources. */
    public static HostObstacle ofRoot(HostState host) {
        return new HostObstacle(Stage.CLAIM, FilterChain.NOTHING_OF_ROOT, FilterChain.nothingOfRoot(host));
    }
}
