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
 * Something that keeps an instance off a host, of all there is: what a decision, which asks the hosts that are left alone,
 * may never come to.
 *
 * @param by member of the request, or filter
 */
public record HostObstacle(Stage stage, String by, Reason reason) {
    /** Of what there is no comparing: the filter cannot evaluate the request on this host. */
    public static final String NOT_EVALUATED = "not_evaluated";

    /** Where it is in the way. */
    public enum Stage implements WireNamed {
        /** The request itself. */
        PREFILTER,
        FILTER,
        /** Forced hosts pass no filter, but not by what the claim holds to; and nothing can be claimed where the root gives nothing. */
        CLAIM;

        /** Of what stands in the way after the preselection. */
        public static Stage after(Preselection preselection) {
            return preselection.forced() ? CLAIM : FILTER;
        }
    }

    /** All of the host, as the first instance of the request finds it; each filter sees what those before it left. */
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

    /** Where children give all that is asked for. */
    public static HostObstacle ofRoot(HostState host) {
        return new HostObstacle(Stage.CLAIM, FilterChain.NOTHING_OF_ROOT, FilterChain.nothingOfRoot(host));
    }
}
