package io.berth.scheduler.decision;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/**
 * The result of one filter in one round.
 *
 * @param hostCountIn hosts that reached it
 * @param hostCountOut hosts that passed it
 * @param hostsIn empty unless the detail is {@link SchedulingInputs.Detail#HOSTS}; so is {@code hostsOut}
 * @param rejections all with the detail {@code HOSTS}, otherwise the first {@value #REJECTIONS_MAX}
 * @param moreByCode the number of further rejections, by the code of their reason; empty if {@code rejections} has all
 * @param nearest the rejection that missed by least, or the first if none is measurable; null unless the filter removed
 * every host
 */
public record FilterStep(
        String name,
        int hostCountIn,
        int hostCountOut,
        List<HostName> hostsIn,
        List<HostName> hostsOut,
        List<Rejection> rejections,
        Map<String, Integer> moreByCode,
        @Nullable Rejection nearest) {
    /** Limits the rejections that are kept with the detail {@code COUNTS}; further ones are only counted. */
    public static final int REJECTIONS_MAX = 1_000;

    /** Returns the step of a filter that passed every host, without the hosts. */
    static FilterStep passedBy(String name, int hostCount) {
        return new FilterStep(name, hostCount, hostCount, List.of(), List.of(), List.of(), Map.of(), null);
    }

    public FilterStep {
        hostsIn = List.copyOf(hostsIn);
        hostsOut = List.copyOf(hostsOut);
        rejections = List.copyOf(rejections);
        moreByCode = Map.copyOf(moreByCode);
    }
}
