package io.berth.scheduler.decision;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/**
 * What one filter did in one round.
 *
 * @param hostCountIn hosts that reached it
 * @param hostCountOut hosts it let through
 * @param hostsIn empty unless every host is kept; so is {@code hostsOut}
 * @param rejections all, or only the first {@value #REJECTIONS_MAX} where hosts are not kept
 * @param moreByCode how many more there were, by the code of their reason; empty where all are kept
 * @param nearest of all rejections the one that missed by least, else the first; null unless the filter left no host
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
    /** Rejections kept where hosts are not; those behind are counted. */
    public static final int REJECTIONS_MAX = 1_000;

    /** Of a filter that let all pass, hosts not kept. */
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
