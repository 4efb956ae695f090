package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.node.ObjectNode;
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
 * Plans the emptying of hosts. Takes their instances one after the other: host by host, node by node, in the order of
 * their uuids. For each, finds the destination that {@code POST /v1/moves} of kind {@code live} would choose if the
 * earlier moves were confirmed, or the reason why there is no destination. The hosts to be emptied are no destinations.
 * Instances that are pinned to their host ({@code berth:pinned}) are planned like all others.
 */
@Singleton
public class DrainPlanner {
    /** The maximum number of instances in one plan; {@link DrainPlan#gaps} reports that there are more. */
    static final int INSTANCES_MAX = 10_000;
    /** The number of instances whose requests and allocations are read together. */
    static final int READ_BATCH = 32;

    private final Requests requests;
    private final InstanceNames names;

    DrainPlanner(Requests requests, InstanceNames names) {
        this.requests = requests;
        this.names = names;
    }

    /**
     * Plans all instances of the hosts. Blocks; for the analysis worker only. Throws ApiFault: 400 for an invalid
     * request in {@code requestSpecs}, 501 if placement is not Berth's, 503 if it does not respond.
     *
     * @param hosts names of the hosts, in the order of the plan
     * @param requestSpecs request specs that the caller provided, by instance; used instead of recorded requests
     */
    public DrainPlan plan(Snapshot snapshot, List<String> hosts, Map<UUID, ObjectNode> requestSpecs) {
        return new Planning(snapshot, new LinkedHashSet<>(hosts), requestSpecs, Set.of()).planHosts();
    }

    /**
     * Plans as {@link #plan} does, but only with recorded requests, and without instances that have begun to move.
     *
     * @param leaving instances that have begun to move, which the plan leaves out
     */
    public DrainPlan planRest(Snapshot snapshot, List<String> hosts, Set<UUID> leaving) {
        return new Planning(snapshot, new LinkedHashSet<>(hosts), Map.of(), leaving).planHosts();
    }

    /** Subtracts amounts, by resource class. Leaves out results that are not positive. */
    public static Map<String, Long> subtract(Map<String, Long> amounts, Map<String, Long> subtrahend) {
        Map<String, Long> difference = new TreeMap<>(amounts);
        difference.replaceAll((name, amount) -> amount - subtrahend.getOrDefault(name, 0L));
        difference.values().removeIf(amount -> amount <= 0);
        return difference;
    }

    /**
     * Adds the held amounts of the given providers to {@code sum}.
     *
     * @param sum amounts by resource class
     * @param held amounts by provider uuid and resource class
     * @param providers uuids of the providers whose amounts are added
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
        private final List<DrainPlan.Host> plannedHosts = new ArrayList<>();
        private final List<DrainPlan.Instance> instances = new ArrayList<>();
        private final List<String> gaps = new ArrayList<>();
        /**
         * The amounts that instances without a destination hold on the host that is being planned, by resource class.
         */
        private final Map<String, Long> heldByStaying = new HashMap<>();

        Planning(Snapshot snapshot, Set<String> hosts, Map<UUID, ObjectNode> requestSpecs, Set<UUID> leaving) {
            this.snapshot = snapshot;
            this.hosts = hosts;
            this.leaving = leaving;
            this.mover = new Mover(snapshot, requests, requestSpecs);
        }

        DrainPlan planHosts() {
            if (snapshot.choosesAtRandom()) {
                gaps.add(Snapshot.HOSTS_AT_RANDOM);
            }
            if (snapshot.registry().hasOmittedInstances()) {
                gaps.add(Snapshot.INSTANCES_OMITTED);
            }
            boolean isWhole = hosts.stream().allMatch(this::planHost);
            if (snapshot.hasFleetChanged()) {
                gaps.add(Snapshot.PLACEMENT_CHANGED);
            }
            List<UUID> uuids = instances.stream().map(DrainPlan.Instance::uuid).toList();
            return new DrainPlan(plannedHosts, instances, names.namesOf(uuids).await().indefinitely(), isWhole, gaps);
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
            boolean mayContinue = true;
            heldByStaying.clear();
            for (Movable.Origin origin : origins) {
                List<RegisteredInstance> ofNode = Mover.instancesOn(origin, snapshot.registry()).stream()
                        .filter(instance -> !leaving.contains(instance.uuid()))
                        .toList();
                registered += ofNode.size();
                mayContinue = mayContinue && planNode(origin, ofNode);
            }
            List<DrainPlan.Instance> ofHost = instances.subList(before, instances.size());
            int placed = (int) ofHost.stream().filter(each -> each.to() != null).count();
            Map<String, Long> remainingUse = mover.remainingUse(origins);
            if (remainingUse == null) {
                gaps.add("time: the amounts that remain used on %s were not read".formatted(host));
                return false;
            }
            Set<String> providers = new HashSet<>();
            origins.forEach(origin -> providers.addAll(origin.tree()));
            plannedHosts.add(new DrainPlan.Host(
                    host, registered, placed, remainingUse, subtract(remainingUse, heldByStaying), providers));
            return mayContinue;
        }

        /** Adds the amounts of an instance without a destination to {@link #heldByStaying}. */
        private void addStaying(Movable movable) {
            add(heldByStaying, movable.held().allocations(), movable.origin().tree());
        }

        /** Plans instances of one compute node. Returns false if the plan must end, as {@link #planHost} does. */
        private boolean planNode(Movable.Origin origin, List<RegisteredInstance> ofNode) {
            for (int from = 0; from < ofNode.size(); from += READ_BATCH) {
                List<RegisteredInstance> batch = ofNode.subList(from, Math.min(from + READ_BATCH, ofNode.size()));
                for (Movable movable : mover.movables(origin, batch)) {
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
            var from = new DrainPlan.Place(origin.host(), origin.nodename(), origin.provider().toString());
            switch (mover.attempt(movable, hosts, null)) {
                case Mover.TimeUp _ -> {
                    return false;
                }
                case Mover.Stuck(var request, Mover.Code code, String text, var refused) -> {
                    addStaying(movable);
                    ObstacleCount.Found found = refused == null
                            ? new ObstacleCount.Found(List.of(), text)
                            : mover.obstacles(refused, hosts);
                    instances.add(new DrainPlan.Instance(
                            movable.uuid(), from, null, code.wireName(), found.text(),
                            found.obstacles(),
                            request == null ? null : request.decision(), movable.heldAmount("MEMORY_MB"), 0));
                }
                case Mover.CanMove free -> {
                    HostState to = mover.move(movable, free, free.decision().rankedHosts().getFirst());
                    instances.add(new DrainPlan.Instance(
                            movable.uuid(), from, new DrainPlan.Place(to.host(), to.nodename(), to.uuid()), null, null,
                            List.of(), free.request().decision(), movable.heldAmount("MEMORY_MB"),
                            movable.newAmount("DISK_GB", to.allocationCandidates().getFirst().allocations())));
                }
            }
            return true;
        }
    }
}
