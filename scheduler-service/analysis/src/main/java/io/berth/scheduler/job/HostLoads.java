package io.berth.scheduler.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Computes how full the hosts of a cloud are. Each provider tree is one host, except trees whose root shares its
 * resources (trait MISC_SHARES_VIA_AGGREGATE).
 */
public final class HostLoads {
    /** The maximum number of evaluated hosts; if there are more, {@link #gaps} says so. */
    private static final int HOSTS_MAX = 2_000;
    /** The number of trees in one query of placement. */
    private static final int QUERY_TREES = 500;
    /** Results are rounded to four decimal places. */
    private static final double ROUNDING_STEPS = 10_000;
    private static final String NOT_ALL = "time: not all hosts were evaluated for spread and packing";
    /** The resource classes that are evaluated. */
    private static final List<String> CLASSES = List.of("VCPU", "PCPU", "MEMORY_MB", "DISK_GB");

    private final List<String> gaps = new ArrayList<>();
    /**
     * The used fraction of the capacity (total minus reserved, times the allocation ratio) of each host that has the
     * resource class, by resource class. Above 1 if more is allocated than the present inventory allows.
     */
    private final Map<String, List<Double>> fractions = new TreeMap<>();
    /** Like {@link #fractions}, but only of the hosts that use any resource class of {@link #CLASSES}. */
    private final Map<String, List<Double>> fractionsOfUsedHosts = new TreeMap<>();
    private int hosts;
    /** The number of hosts on which nothing of {@link #CLASSES} is used. */
    private int emptyHosts;

    private HostLoads() {}

    /** Queries placement for the usage of the hosts. Blocks; for the analysis worker only. */
    public static HostLoads of(Snapshot cloud) {
        HostLoads loads = new HostLoads();
        List<String> roots = loads.roots(cloud);
        for (int from = 0; from < roots.size() && loads.hasTimeLeft(cloud); from += QUERY_TREES) {
            JsonNode response = cloud.ask(List.of(new FleetQuery.Trees(
                    roots.subList(from, Math.min(from + QUERY_TREES, roots.size()))))).json(0);
            if (response == null) {
                loads.gaps.add(NOT_ALL);
                break;
            }
            response.path("trees").forEach(loads::add);
        }
        return loads;
    }

    /** Returns whether the deadline is in the future; otherwise notes that hosts are missing. */
    private boolean hasTimeLeft(Snapshot cloud) {
        if (cloud.deadline().isUp()) {
            gaps.add(NOT_ALL);
            return false;
        }
        return true;
    }

    /** Returns the uuids of the roots of hosts, at most {@value #HOSTS_MAX}; notes a gap if there are more. */
    private List<String> roots(Snapshot cloud) {
        if (!hasTimeLeft(cloud)) {
            return List.of();
        }
        JsonNode response = cloud.ask(List.of(new FleetQuery.Roots(null, null, null))).json(0);
        if (response == null) {
            gaps.add(NOT_ALL);
            return List.of();
        }
        Set<Integer> indexesOfSharingRoots = new HashSet<>();
        response.path("sharing").forEach(index -> indexesOfSharingRoots.add(index.asInt()));
        List<String> roots = new ArrayList<>();
        int all = response.path("roots").size() - indexesOfSharingRoots.size();
        for (int i = 0; i < response.path("roots").size() && roots.size() < HOSTS_MAX; i++) {
            if (!indexesOfSharingRoots.contains(i)) {
                roots.add(response.path("roots").get(i).asText());
            }
        }
        if (all > roots.size()) {
            gaps.add("spread and packing: of %d hosts, only %d were evaluated".formatted(all, roots.size()));
        }
        return roots;
    }

    private void add(JsonNode tree) {
        Map<String, Double> fractionsOfHost = new TreeMap<>();
        boolean isUsed = false;
        for (String name : CLASSES) {
            long capacity = 0;
            long used = 0;
            for (JsonNode provider : tree.path("providers")) {
                capacity += provider.path("resources").path(name).path("capacity").asLong();
                used += provider.path("resources").path(name).path("used").asLong();
            }
            isUsed |= used > 0;
            if (capacity > 0) {
                fractionsOfHost.put(name, (double) used / capacity);
            }
        }
        hosts++;
        emptyHosts += isUsed ? 0 : 1;
        boolean isHostUsed = isUsed;
        fractionsOfHost.forEach((name, fraction) -> {
            fractions.computeIfAbsent(name, key -> new ArrayList<>()).add(fraction);
            if (isHostUsed) {
                fractionsOfUsedHosts.computeIfAbsent(name, key -> new ArrayList<>()).add(fraction);
            }
        });
    }

    /** Returns, for the user, why hosts are missing from the results; empty if none is. */
    public List<String> gaps() {
        return gaps;
    }

    /** Returns the standard deviation of the used fractions by resource class: 0 if all hosts are equally full. */
    public ObjectNode spread() {
        ObjectNode spread = JsonNodeFactory.instance.objectNode();
        fractions.forEach((name, all) -> {
            double mean = mean(all);
            spread.put(name, rounded(Math.sqrt(
                    all.stream().mapToDouble(fraction -> (fraction - mean) * (fraction - mean)).average().orElse(0))));
        });
        return spread;
    }

    /**
     * Returns how many hosts there are, how many use nothing of {@link #CLASSES}, and by resource class the mean used
     * fractions of the other hosts.
     */
    public ObjectNode packing() {
        ObjectNode packing = JsonNodeFactory.instance.objectNode().put("hosts", hosts).put("empty_hosts", emptyHosts);
        ObjectNode used = packing.putObject("used_of_others");
        fractionsOfUsedHosts.forEach((name, all) -> used.put(name, rounded(mean(all))));
        return packing;
    }

    private static double mean(List<Double> all) {
        return all.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    private static double rounded(double fraction) {
        return Math.rint(fraction * ROUNDING_STEPS) / ROUNDING_STEPS;
    }
}
