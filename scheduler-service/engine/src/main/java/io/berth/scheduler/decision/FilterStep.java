package io.berth.scheduler.decision;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/**
 * The result of one filter in one round.
 *
 * @param hostCountIn number of hosts that the filter checked
 * @param hostCountOut number of hosts that passed the filter
 * @param hostsIn the checked hosts; empty unless the detail is {@link SchedulingInputs.Detail#HOSTS}
 * @param hostsOut the hosts that passed; empty unless the detail is {@code HOSTS}
 * @param rejections with the detail {@code HOSTS} all rejections, otherwise the first {@value #REJECTIONS_MAX}
 * @param moreByCode the number of further rejections, by the code of their reason; empty if {@code rejections} has all
 * @param nearest the rejection with the smallest shortfall, or the first one if no shortfall is known; null unless the
 *         filter removed every host
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
    /** Maximum number of rejections that are kept with the detail {@code COUNTS}; further ones are only counted. */
    public static final int REJECTIONS_MAX = 1_000;

    /** Returns the step of a filter that every host passed, with the detail {@code COUNTS}. */
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
