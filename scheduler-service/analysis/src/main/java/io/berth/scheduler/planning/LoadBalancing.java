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
 * Proposes moves that even out the use of a resource class. In each step, one instance leaves the fullest host from
 * which a move reduces the imbalance, for the host where that reduces the imbalance most. Considers registered hosts
 * that are enabled and have capacity of the class.
 */
final class LoadBalancing {
    /** The maximum hosts that are evaluated. */
    private static final int LOOKED_AT = 2_000;
    private static final int TREES_AT_ONCE = 500;
    /** The maximum hosts from which a move is tried in one step, the fullest first. */
    private static final int DONORS_MAX = 10;
    /** The maximum instances of one host that are tried in one step. */
    private static final int INSTANCES_MAX = 8;
    /** The maximum instances of one host that are read in one step. */
    private static final int READ_MAX = 200;
    /** A move must reduce the imbalance by more than this. */
    private static final double LEAST = 1e-6;

    private static final String NOT_ALL = "time: not all hosts were evaluated";

    private final String resourceClass;
    private final List<String> gaps = new ArrayList<>();
    /** By uuid of the root provider. */
    private final Map<String, Load> loads = new LinkedHashMap<>();
    /** The same loads by uuid of each provider of the tree. */
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
        while (course.movesLeft() > 0 && !course.isLate() && improve(course)) {
            // The condition makes the move.
        }
        double after = imbalance();
        if (course.isLate()) {
            gaps.add("time: more moves might help");
        }
        boolean better = !course.steps().isEmpty();
        return new Proposal("spread", better, course,
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

    private void read(Snapshot now) {
        // Leaves out nodes that placement does not have: they have no capacity.
        JsonNode response = now.ask(List.of(new FleetQuery.Roots(null, null, null))).json(0);
        if (response == null) {
            gaps.add(NOT_ALL);
            return;
        }
        Set<String> known = new HashSet<>();
        response.path("roots").forEach(root -> known.add(root.asText()));
        List<ComputeNode> nodes = now.registry().listComputeNodes().stream()
                .filter(node -> known.contains(node.uuid().toString()))
                .filter(node -> isEnabled(now.registry().findService(node.host())))
                .sorted(Comparator.comparing(ComputeNode::host).thenComparing(ComputeNode::nodename))
                .toList();
        if (nodes.size() > LOOKED_AT) {
            gaps.add("hosts: of %d, only %d were evaluated".formatted(nodes.size(), LOOKED_AT));
            nodes = nodes.subList(0, LOOKED_AT);
        }
        for (int from = 0; from < nodes.size(); from += TREES_AT_ONCE) {
            read(now, nodes.subList(from, Math.min(from + TREES_AT_ONCE, nodes.size())));
        }
        loads.values().removeIf(load -> load.capacity <= 0);
        byProvider.values().removeIf(load -> load.capacity <= 0);
    }

    private static boolean isEnabled(@Nullable ComputeService service) {
        return service == null || !service.disabled() && !service.forcedDown();
    }

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
                Load own = roots.get(provider.path("uuid").asText());
                load = own == null ? load : own;
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

    /** Returns the standard deviation of the used fractions: 0 to 1, and more if hosts are overcommitted. */
    private double imbalance() {
        if (loads.isEmpty()) {
            return 0;
        }
        double mean = loads.values().stream().mapToDouble(Load::fraction).average().orElse(0);
        return Math.sqrt(loads.values().stream()
                .mapToDouble(load -> (load.fraction() - mean) * (load.fraction() - mean)).average().orElse(0));
    }

    /** Makes one move. Returns false if no move reduces the imbalance. */
    private boolean improve(ProposedMoves course) {
        List<Load> donors = loads.values().stream()
                .sorted(Comparator.comparingDouble(Load::fraction).reversed())
                .limit(DONORS_MAX)
                .toList();
        for (Load donor : donors) {
            if (course.isLate()) {
                return false;
            }
            if (improve(course, donor)) {
                return true;
            }
        }
        return false;
    }

    private boolean improve(ProposedMoves course, Load donor) {
        double mean = loads.values().stream().mapToDouble(Load::fraction).average().orElse(0);
        double over = (donor.fraction() - mean) * donor.capacity;
        for (Movable.Origin origin : course.mover().origins(donor.node.host())) {
            if (!origin.provider().equals(donor.node.uuid())) {
                continue;
            }
            var registered = Mover.instancesOn(origin, course.now().registry());
            List<Movable> movables = course.mover()
                    .movables(origin, registered.subList(0, Math.min(READ_MAX, registered.size()))).stream()
                    .filter(each -> each.amount(resourceClass) > 0)
                    .filter(course::mayMove)
                    .sorted(Comparator.comparingDouble(each -> Math.abs(over - each.amount(resourceClass))))
                    .limit(INSTANCES_MAX)
                    .toList();
            for (Movable movable : movables) {
                if (course.isLate()) {
                    return false;
                }
                Step step = course.move(movable, List.of(), attempts -> best(attempts, movable, donor));
                if (step != null) {
                    movable.held().allocations().forEach((provider, amounts) -> use(provider, amounts, -1));
                    step.to().allocationCandidates().getFirst().allocations()
                            .forEach((provider, amounts) -> use(provider, amounts, 1));
                    return true;
                }
            }
        }
        return false;
    }

    private void use(String provider, Map<String, Long> amounts, int times) {
        Load load = byProvider.get(provider);
        if (load != null) {
            load.used += times * amounts.getOrDefault(resourceClass, 0L);
        }
    }

    /** Returns the host that reduces the imbalance most; null if none does. */
    private @Nullable RankedHost best(List<RankedHost> attempts, Movable movable, Load donor) {
        long amount = movable.amount(resourceClass);
        double lowest = imbalance() - LEAST;
        RankedHost best = null;
        for (RankedHost each : attempts) {
            Load receiver = loads.get(String.valueOf(each.host().uuid()));
            if (receiver == null || receiver == donor) {
                continue;
            }
            donor.used -= amount;
            receiver.used += amount;
            double changed = imbalance();
            donor.used += amount;
            receiver.used -= amount;
            if (changed < lowest) {
                lowest = changed;
                best = each;
            }
        }
        return best;
    }
}
