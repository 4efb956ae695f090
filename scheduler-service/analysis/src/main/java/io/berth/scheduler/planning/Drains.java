package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.instance.InstanceNames;
import io.berth.scheduler.job.Snapshot;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Plans the emptying of hosts. Finds for each of their instances, one after the other, the host that
 * {@code POST /v1/moves} of kind {@code live} would choose if each move is confirmed before the next begins, or why
 * there is none. The hosts to be emptied are no destinations.
 */
@Singleton
public class Drains {
    /** The maximum instances in one plan; {@link Drain#gaps} reports that there are more. */
    static final int INSTANCES_MAX = 10_000;
    /** The number of instances whose requests and allocations are read at a time. */
    static final int READ_BATCH = 32;

    private final Requests requests;
    private final InstanceNames names;

    Drains(Requests requests, InstanceNames names) {
        this.requests = requests;
        this.names = names;
    }

    /**
     * Plans all instances of the hosts. Blocks; for the analysis worker only. Throws ApiFault: 400 for an invalid
     * request in {@code given}, 501 and 503 as placement responds.
     *
     * @param hosts names of the hosts, in the order of the plan
     * @param given request specs that the caller stated, by instance
     */
    public Drain plan(Snapshot snapshot, List<String> hosts, Map<UUID, ObjectNode> given) {
        return new Planning(snapshot, new LinkedHashSet<>(hosts), given, Set.of()).planHosts();
    }

    /**
     * Plans the instances that have not begun to move, as {@link #plan} does.
     *
     * @param leaving instances that have begun to move, which are left out
     */
    public Drain planRest(Snapshot snapshot, List<String> hosts, Set<UUID> leaving) {
        return new Planning(snapshot, new LinkedHashSet<>(hosts), Map.of(), leaving).planHosts();
    }

    /** Subtracts amounts, by resource class. Leaves out results that are not positive. */
    public static Map<String, Long> subtract(Map<String, Long> amounts, Map<String, Long> subtrahend) {
        Map<String, Long> left = new TreeMap<>(amounts);
        left.replaceAll((name, amount) -> amount - subtrahend.getOrDefault(name, 0L));
        left.values().removeIf(amount -> amount <= 0);
        return left;
    }

    /**
     * Adds the amounts that are held of some providers to {@code sum}, by resource class.
     *
     * @param held amounts by provider uuid and resource class
     */
    public static void add(Map<String, Long> sum, Map<String, Map<String, Long>> held, Set<String> providers) {
        held.forEach((provider, amounts) -> {
            if (providers.contains(provider)) {
                amounts.forEach((name, amount) -> sum.merge(name, amount, Long::sum));
            }
        });
    }

    /** The computation of one plan. */
    private final class Planning {
        private final Snapshot snapshot;
        private final Set<String> hosts;
        private final Set<UUID> leaving;
        private final Mover mover;
        private final List<Drain.Host> emptied = new ArrayList<>();
        private final List<Drain.Instance> instances = new ArrayList<>();
        private final List<String> gaps = new ArrayList<>();
        /** The amounts on the present host that are held by instances without a destination, by resource class. */
        private final Map<String, Long> staying = new HashMap<>();

        Planning(Snapshot snapshot, Set<String> hosts, Map<UUID, ObjectNode> given, Set<UUID> leaving) {
            this.snapshot = snapshot;
            this.hosts = hosts;
            this.leaving = leaving;
            this.mover = new Mover(snapshot, requests, given);
        }

        Drain planHosts() {
            Options.FilterScheduler options = snapshot.options().filterScheduler();
            if (options.hostSubsetSize() > 1 || options.shuffleBestSameWeighedHosts()) {
                gaps.add("hosts are chosen by chance (host_subset_size, shuffle_best_same_weighed_hosts)");
            }
            if (snapshot.registry().instancesAreFull()) {
                gaps.add("instances: the registry has more than fit in memory");
            }
            boolean isWhole = hosts.stream().allMatch(this::planHost);
            if (snapshot.hasMoved()) {
                gaps.add("placement's fleet changed during the analysis");
            }
            List<UUID> moved = instances.stream().map(Drain.Instance::uuid).toList();
            return new Drain(emptied, instances, names.namesOf(moved).await().indefinitely(), isWhole, gaps);
        }

        /** Plans one host. Returns false if the plan must end: the time is up, or the plan has its maximum size. */
        private boolean planHost(String host) {
            if (snapshot.deadline().isUp()) {
                gaps.add("time: host %s was not evaluated".formatted(host));
                return false;
            }
            List<Movable.Origin> origins = mover.origins(host);
            int before = instances.size();
            int registered = 0;
            boolean goesOn = true;
            staying.clear();
            for (Movable.Origin origin : origins) {
                List<RegisteredInstance> ofNode = Mover.instancesOn(origin, snapshot.registry()).stream()
                        .filter(instance -> !leaving.contains(instance.uuid()))
                        .toList();
                registered += ofNode.size();
                goesOn = goesOn && planNode(origin, ofNode);
            }
            List<Drain.Instance> own = instances.subList(before, instances.size());
            int placed = (int) own.stream().filter(each -> each.to() != null).count();
            Map<String, Long> left = mover.remainingUse(origins);
            if (left == null) {
                gaps.add("time: the amounts that remain used on %s were not read".formatted(host));
                return false;
            }
            Set<String> providers = new HashSet<>();
            origins.forEach(origin -> providers.addAll(origin.tree()));
            emptied.add(new Drain.Host(host, registered, placed, left, subtract(left, staying), providers));
            return goesOn;
        }

        private void stays(Movable movable) {
            add(staying, movable.held().allocations(), movable.origin().tree());
        }

        /** Plans the given instances of one node. Returns false if the plan must end, as {@link #planHost} does. */
        private boolean planNode(Movable.Origin origin, List<RegisteredInstance> ofNode) {
            for (int from = 0; from < ofNode.size(); from += READ_BATCH) {
                List<RegisteredInstance> some = ofNode.subList(from, Math.min(from + READ_BATCH, ofNode.size()));
                for (Movable movable : mover.movables(origin, some)) {
                    if (instances.size() == INSTANCES_MAX) {
                        gaps.add("instances: only the first %d were evaluated".formatted(INSTANCES_MAX));
                        return false;
                    }
                    if (snapshot.deadline().isUp() || !planInstance(movable)) {
                        gaps.add("time: only the first %d instances were evaluated, not all of host %s"
                                .formatted(instances.size(), origin.host()));
                        return false;
                    }
                }
            }
            return true;
        }

        /** Plans one instance. Returns false if the time is up. */
        private boolean planInstance(Movable movable) {
            Movable.Origin origin = movable.origin();
            var from = new Drain.Place(origin.host(), origin.nodename(), origin.provider().toString());
            switch (mover.attempt(movable, hosts, null)) {
                case Mover.TimeUp _ -> {
                    return false;
                }
                case Mover.Stuck(var request, Mover.Code code, String text, var refused) -> {
                    stays(movable);
                    ObstacleCounts.Found found = refused == null
                            ? new ObstacleCounts.Found(List.of(), text)
                            : mover.obstacles(refused, hosts);
                    instances.add(new Drain.Instance(
                            movable.uuid(), from, null, code.wireName(), found.text(),
                            found.obstacles(),
                            request == null ? null : request.decision(), movable.amount("MEMORY_MB"), 0));
                }
                case Mover.Free free -> {
                    HostState to = mover.move(movable, free, free.offered().attempts().getFirst());
                    instances.add(new Drain.Instance(
                            movable.uuid(), from, new Drain.Place(to.host(), to.nodename(), to.uuid()), null, null,
                            List.of(), free.request().decision(), movable.amount("MEMORY_MB"),
                            movable.moved("DISK_GB", to.allocationCandidates().getFirst().allocations())));
                }
            }
            return true;
        }
    }
}
