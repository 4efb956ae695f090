package io.berth.scheduler.decision;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The result of applying the request's own restrictions on hosts, before any filter, in this order: destination,
 * ignored hosts, forced hosts, forced nodes. As in nova, ignored and forced hosts are compared without regard to case,
 * a destination and forced nodes exactly.
 * <br>Source: nova {@code scheduler/host_manager.py} (get_filtered_hosts).
 *
 * @param hostsIn the hosts before the preselection; empty in a round {@linkplain Round#inBrief in brief}
 * @param hostsOut the remaining hosts; empty in a round in brief
 * @param dropped the removed hosts, in the order of the restrictions
 * @param forced the result of {@link #isForced}; if true, only the filters {@link SchedulingInputs#forcedHostFilters}
 *     run
 */
public record Preselection(
        int hostCountIn,
        int hostCountOut,
        List<HostState> hostsIn,
        List<HostState> hostsOut,
        List<Dropped> dropped,
        boolean forced) {
    private Preselection(List<HostState> hostsIn, List<HostState> hostsOut, List<Dropped> dropped, boolean forced) {
        this(hostsIn.size(), hostsOut.size(), hostsIn, hostsOut, dropped, forced);
    }

    /**
     * A host that the preselection removed.
     *
     * @param by name of the member of the request that excludes the host
     */
    public record Dropped(HostName host, String by, Reason reason) {
        /** Returns {@code by} as words of a sentence, with a note if the host is the source of a move. */
        public String label() {
            return isSource() ? by + " (the source of the move)" : by;
        }

        /** Returns the remedy that omits the member; none for the source of a move, which the move must leave. */
        List<Remedy> remedies() {
            return isSource() ? List.of() : Remedy.omitOneOf(RequestMember.of(by));
        }

        private boolean isSource() {
            return reason.code().equals("source");
        }
    }

    static Preselection of(List<HostState> hosts, RequestSpec spec) {
        boolean namesForcedHosts = namesForcedHosts(spec);
        boolean forced = isForced(spec);
        if (!namesForcedHosts && spec.ignoreHosts().isEmpty() && spec.requestedDestination() == null) {
            return new Preselection(hosts, hosts, List.of(), false);
        }
        var dropped = new ArrayList<Dropped>();
        List<HostState> remaining = hosts;
        RequestedDestination destination = spec.requestedDestination();
        String destinationHost = destination == null ? null : destination.host();
        if (destination != null && destinationHost != null) {
            remaining = keep(remaining, host -> isDestination(host, destination), "requested_destination", dropped,
                    host -> Reason.of("destination", "destination is %s", destinationHost, host.host()));
        }
        if (!spec.ignoreHosts().isEmpty()) {
            Set<String> ignored = lowerCase(spec.ignoreHosts());
            remaining = keep(remaining, host -> !ignored.contains(lowerCase(host.host())), "ignore_hosts", dropped,
                    host -> ignored(host, spec));
        }
        if (!spec.forceHosts().isEmpty()) {
            Set<String> names = lowerCase(spec.forceHosts());
            remaining = keep(remaining, host -> names.contains(lowerCase(host.host())), "force_hosts", dropped,
                    host -> Reason.of("host_not_forced", "another host is forced", spec.forceHosts(), host.host()));
        }
        if (!spec.forceNodes().isEmpty()) {
            Set<String> names = Set.copyOf(spec.forceNodes());
            remaining = keep(remaining, host -> names.contains(host.nodename()), "force_nodes", dropped,
                    host -> Reason.of("node_not_forced", "another node is forced", spec.forceNodes(), host.nodename()));
        }
        return new Preselection(hosts, remaining, dropped, forced);
    }

    /**
     * Returns the reason for an ignored host. The source of a move, which is always ignored, has a reason of its own.
     */
    private static Reason ignored(HostState host, RequestSpec spec) {
        String instance = spec.instanceUuid();
        return instance != null && host.instances().containsKey(instance)
                ? Reason.of("source", "the instance is on it, and the move leaves it", "!" + host.host(), host.host())
                : Reason.of("ignored", "host is to be ignored", "!" + host.host(), host.host());
    }

    /**
     * Returns every restriction of the request that excludes the host, each applied without the others; {@link #of}
     * would drop the host at the first one.
     */
    static List<Dropped> allAgainst(HostState host, RequestSpec spec) {
        RequestSpec unrestricted = spec.toBuilder()
                .requestedDestination(null).ignoreHosts(List.of()).forceHosts(List.of()).forceNodes(List.of()).build();
        return Stream.of(
                unrestricted.toBuilder().requestedDestination(spec.requestedDestination()).build(),
                unrestricted.toBuilder().ignoreHosts(spec.ignoreHosts()).build(),
                unrestricted.toBuilder().forceHosts(spec.forceHosts()).build(),
                unrestricted.toBuilder().forceNodes(spec.forceNodes()).build())
                .flatMap(restricted -> of(List.of(host), restricted).dropped().stream())
                .toList();
    }

    /** Returns a copy without the lists of hosts. */
    Preselection inBrief() {
        return new Preselection(hostCountIn, hostCountOut, List.of(), List.of(), dropped, forced);
    }

    /** Returns whether the request forces hosts or nodes. */
    private static boolean namesForcedHosts(RequestSpec spec) {
        return !spec.forceHosts().isEmpty() || !spec.forceNodes().isEmpty();
    }

    /**
     * Returns whether hosts skip the filters: the request forces hosts or nodes, and is not a check of nova (hint
     * {@code _nova_check_type}).
     */
    public static boolean isForced(RequestSpec spec) {
        return namesForcedHosts(spec) && !spec.schedulerHints().statesCheckType();
    }

    private static boolean isDestination(HostState host, RequestedDestination destination) {
        boolean anyNode = destination.node() == null || destination.node().isEmpty();
        return host.host().equals(destination.host()) && (anyNode || host.nodename().equals(destination.node()));
    }

    private static List<HostState> keep(
            List<HostState> hosts, Predicate<HostState> rule, String by, List<Dropped> dropped,
            Function<HostState, Reason> reason) {
        var remaining = new ArrayList<HostState>();
        for (HostState host : hosts) {
            if (rule.test(host)) {
                remaining.add(host);
            } else {
                dropped.add(new Dropped(HostName.of(host), by, reason.apply(host)));
            }
        }
        return remaining;
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
