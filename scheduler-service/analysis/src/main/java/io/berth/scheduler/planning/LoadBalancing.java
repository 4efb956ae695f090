package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Proposes moves that balance the use of a resource class. In each step, one instance moves from a full host to the
 * host where the move reduces the imbalance most; the fullest hosts are tried first. Considers registered hosts that
 * have capacity of the class, and whose service, if they have one, is neither disabled nor forced down.
 */
final class LoadBalancing {
    /** The maximum number of hosts that are evaluated. */
    private static final int HOSTS_MAX = 2_000;
    /** The number of trees in one query of placement. */
    private static final int QUERY_TREES = 500;
    /** The maximum number of hosts from which a move is tried in one step, the fullest first. */
    private static final int DONORS_MAX = 10;
    /** The maximum number of instances of one host that are tried in one step. */
    private static final int TRIED_MAX = 8;
    /** The maximum number of instances of one host that are read in one step: the first in the order of uuids. */
    private static final int READ_MAX = 200;
    /** A move must reduce the {@link #imbalance} by more than this. */
    private static final double REDUCTION_MIN = 1e-6;

    private static final String NOT_ALL = "time: not all hosts were evaluated";

    private final String resourceClass;
    private final List<String> gaps = new ArrayList<>();
    /** The loads by uuid of the tree's root provider. */
    private final Map<String, Load> loads = new LinkedHashMap<>();
    /** The loads in {@link #loads} by uuid of each provider of the tree. */
    private final Map<String, Load> byProvider = new HashMap<>();

    LoadBalancing(String resourceClass) {
        this.resourceClass = resourceClass;
    }

    /** The capacity and use of the resource class in one node's tree. */
    private static final class Load {
        private final ComputeNode node;
        private long capacity;
        private long used;

        private Load(ComputeNode node) {
            this.node = node;
        }

        private double fraction() {
            return (double) used / capacity;
        }
    }

    Proposal find(ProposedMoves course) {
        read(course.now());
        double before = imbalance();
        while (course.movesLeft() > 0 && !course.isTimeUp() && improve(course)) {
            // The condition makes the move.
        }
        double after = imbalance();
        if (course.isTimeUp()) {
            gaps.add("time: more moves might help");
        }
        boolean isImproved = !course.steps().isEmpty();
        return new Proposal("spread", isImproved, course,
                json -> {
                    json.writeStringField("resource_class", resourceClass);
                    json.writeNumberField("hosts", loads.size());
                    json.writeObjectFieldStart("imbalance");
                    json.writeNumberField("before", before);
                    json.writeNumberField("after", after);
                    json.writeEndObject();
                },
                json -> {
                    if (loads.size() < 2) {
                        json.writeNumberField("hosts", loads.size());
                    }
                },
                gaps);
    }

    /** Reads the loads of all hosts to consider. */
    private void read(Snapshot now) {
        // Nodes that placement does not have are left out: they have no capacity, and placement would refuse the query
        // for their trees.
        JsonNode response = now.ask(List.of(new FleetQuery.Roots(null, null, null))).json(0);
        if (response == null) {
            gaps.add(NOT_ALL);
            return;
        }
        Set<String> rootsInPlacement = new HashSet<>();
        response.path("roots").forEach(root -> rootsInPlacement.add(root.asText()));
        List<ComputeNode> nodes = now.registry().listComputeNodes().stream()
                .filter(node -> rootsInPlacement.contains(node.uuid().toString()))
                .filter(node -> isEnabled(now.registry().findService(node.host())))
                .sorted(Comparator.comparing(ComputeNode::host).thenComparing(ComputeNode::nodename))
                .toList();
        if (nodes.size() > HOSTS_MAX) {
            gaps.add("hosts: of %d, only %d were evaluated".formatted(nodes.size(), HOSTS_MAX));
            nodes = nodes.subList(0, HOSTS_MAX);
        }
        for (int from = 0; from < nodes.size(); from += QUERY_TREES) {
            read(now, nodes.subList(from, Math.min(from + QUERY_TREES, nodes.size())));
        }
        loads.values().removeIf(load -> load.capacity <= 0);
        byProvider.values().removeIf(load -> load.capacity <= 0);
    }

    private static boolean isEnabled(@Nullable ComputeService service) {
        return service == null || !service.disabled() && !service.forcedDown();
    }

    /** Reads the loads of these nodes with one query of placement. */
    private void read(Snapshot now, List<ComputeNode> nodes) {
        Map<String, Load> roots = new HashMap<>();
        nodes.forEach(node -> roots.put(node.uuid().toString(), new Load(node)));
        JsonNode response = now.ask(List.of(new FleetQuery.Trees(List.copyOf(roots.keySet())))).json(0);
        if (response == null) {
            gaps.add(NOT_ALL);
            return;
        }
        for (JsonNode tree : response.path("trees")) {
            Load load = null;
            for (JsonNode provider : tree.path("providers")) {
                Load atRoot = roots.get(provider.path("uuid").asText());
                load = atRoot == null ? load : atRoot;
            }
            if (load == null) {
                continue;
            }
            for (JsonNode provider : tree.path("providers")) {
                JsonNode amount = provider.path("resources").path(resourceClass);
                load.capacity += amount.path("capacity").asLong();
                load.used += amount.path("used").asLong();
                byProvider.put(provider.path("uuid").asText(), load);
            }
            loads.put(load.node.uuid().toString(), load);
        }
    }

    /** Returns the standard deviation, over the hosts, of the used fraction of capacity; 0 if there are no hosts. */
    private double imbalance() {
        if (loads.isEmpty()) {
            return 0;
        }
        double mean = loads.values().stream().mapToDouble(Load::fraction).average().orElse(0);
        return Math.sqrt(loads.values().stream()
                .mapToDouble(load -> (load.fraction() - mean) * (load.fraction() - mean)).average().orElse(0));
    }

    /** Makes one move. Returns false if no tried move reduces the imbalance, or the time is up. */
    private boolean improve(ProposedMoves course) {
        List<Load> donors = loads.values().stream()
                .sorted(Comparator.comparingDouble(Load::fraction).reversed())
                .limit(DONORS_MAX)
                .toList();
        for (Load donor : donors) {
            if (course.isTimeUp()) {
                return false;
            }
            if (improve(course, donor)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Makes one move from the donor. Tries the instances whose amount is nearest to the donor's excess over the mean
     * fraction first. Returns false if no tried move reduces the imbalance, or the time is up.
     */
    private boolean improve(ProposedMoves course, Load donor) {
        double mean = loads.values().stream().mapToDouble(Load::fraction).average().orElse(0);
        double excess = (donor.fraction() - mean) * donor.capacity;
        for (Movable.Origin origin : course.mover().origins(donor.node.host())) {
            if (!origin.provider().equals(donor.node.uuid())) {
                continue;
            }
            var registered = Mover.instancesOn(origin, course.now().registry(), READ_MAX, gaps);
            List<Movable> movables = course.mover().movables(origin, registered).stream()
                    .filter(each -> each.heldAmount(resourceClass) > 0)
                    .filter(course::mayMove)
                    .sorted(Comparator.comparingDouble(each -> Math.abs(excess - each.heldAmount(resourceClass))))
                    .limit(TRIED_MAX)
                    .toList();
            for (Movable movable : movables) {
                if (course.isTimeUp()) {
                    return false;
                }
                Step step = course.move(movable, List.of(), attempts -> best(attempts, movable, donor));
                if (step != null) {
                    movable.held().allocations().forEach((provider, amounts) -> change(provider, amounts, -1));
                    step.to().allocationCandidates().getFirst().allocations()
                            .forEach((provider, amounts) -> change(provider, amounts, 1));
                    return true;
                }
            }
        }
        return false;
    }

    /** @param sign 1 to add the amounts of the provider, -1 to subtract them */
    private void change(String provider, Map<String, Long> amounts, int sign) {
        Load load = byProvider.get(provider);
        if (load != null) {
            load.used += sign * amounts.getOrDefault(resourceClass, 0L);
        }
    }

    /**
     * Returns the destination with which the move reduces the imbalance most; null if no destination reduces it by more
     * than {@link #REDUCTION_MIN}.
     */
    private @Nullable RankedHost best(List<RankedHost> attempts, Movable movable, Load donor) {
        long amount = movable.heldAmount(resourceClass);
        double lowest = imbalance() - REDUCTION_MIN;
        RankedHost best = null;
        for (RankedHost each : attempts) {
            Load receiver = loads.get(String.valueOf(each.host().uuid()));
            if (receiver == null || receiver == donor) {
                continue;
            }
            donor.used -= amount;
            receiver.used += amount;
            double imbalanceAfter = imbalance();
            donor.used += amount;
            receiver.used -= amount;
            if (imbalanceAfter < lowest) {
                lowest = imbalanceAfter;
                best = each;
            }
        }
        return best;
    }
}
