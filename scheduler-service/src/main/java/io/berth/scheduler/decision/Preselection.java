package io.berth.scheduler.decision;

import io.berth.scheduler.filter.Reason;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Which hosts the request itself leaves open, before any filter: its destination, the hosts it ignores, the hosts and
 * nodes it forces, in this order.
 *
 * @param forced hosts were forced, so the filters are skipped
 *     <br>Source: nova {@code scheduler/host_manager.py} (get_filtered_hosts).
 */
public record Preselection(List<HostState> hostsIn, List<HostState> hostsOut, List<Dropped> dropped, boolean forced) {
    /** @param by the member of the request that dropped the host */
    public record Dropped(HostName host, String by, Reason reason) {}

    static Preselection of(List<HostState> hosts, RequestSpec spec) {
        boolean forces = !spec.forceHosts().isEmpty() || !spec.forceNodes().isEmpty();
        boolean forced = forces && !spec.schedulerHints().statesCheckType();
        if (!forces && spec.ignoreHosts().isEmpty() && spec.requestedDestination() == null) {
            return new Preselection(hosts, hosts, List.of(), false);
        }
        var dropped = new ArrayList<Dropped>();
        List<HostState> left = hosts;
        RequestedDestination destination = spec.requestedDestination();
        if (destination != null && destination.host() != null) {
            Reason reason = Reason.of("destination", "destination is %s", destination.host());
            left = keep(left, host -> isDestination(host, destination), "requested_destination", reason, dropped);
        }
        if (!spec.ignoreHosts().isEmpty()) {
            Set<String> ignored = lowerCase(spec.ignoreHosts());
            Reason reason = Reason.of("ignored", "host is to be ignored");
            left = keep(left, host -> !ignored.contains(lowerCase(host.host())), "ignore_hosts", reason, dropped);
        }
        if (!spec.forceHosts().isEmpty()) {
            Set<String> names = lowerCase(spec.forceHosts());
            Reason reason = Reason.of("host_not_forced", "another host is forced");
            left = keep(left, host -> names.contains(lowerCase(host.host())), "force_hosts", reason, dropped);
        }
        if (!spec.forceNodes().isEmpty()) {
            Set<String> names = Set.copyOf(spec.forceNodes());
            Reason reason = Reason.of("node_not_forced", "another node is forced");
            left = keep(left, host -> names.contains(host.nodename()), "force_nodes", reason, dropped);
        }
        return new Preselection(hosts, left, dropped, forced);
    }

    private static boolean isDestination(HostState host, RequestedDestination destination) {
        boolean anyNode = destination.node() == null || destination.node().isEmpty();
        return host.host().equals(destination.host()) && (anyNode || host.nodename().equals(destination.node()));
    }

    private static List<HostState> keep(
            List<HostState> hosts, Predicate<HostState> rule, String by, Reason reason, List<Dropped> dropped) {
        var kept = new ArrayList<HostState>();
        for (HostState host : hosts) {
            if (rule.test(host)) {
                kept.add(host);
            } else {
                dropped.add(new Dropped(HostName.of(host), by, reason));
            }
        }
        return kept;
    }

    private static Set<String> lowerCase(List<String> names) {
        var lower = new HashSet<String>();
        names.forEach(name -> lower.add(lowerCase(name)));
        return lower;
    }

    private static String lowerCase(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
