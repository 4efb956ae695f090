package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.model.Maps;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.job.CloudCopy;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.move.MoveKind;
import io.berth.scheduler.move.MoveSpec;
import io.berth.scheduler.move.SourceHost;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.query.Amounts;
import io.berth.scheduler.search.DeletedNames;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.text.WireNamed;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Moves instances on a copy of the cloud, as {@code POST /v1/moves} of kind {@code live} would. An instance holds
 * allocations on both hosts while it moves, and only on the destination after the move is confirmed. For one analysis,
 * on the analysis worker.
 *
 * @param copy the cloud after the moves so far
 * @param requests finds the requests with which instances are moved
 * @param requestSpecs request specs that the caller provided, by instance; used instead of recorded requests
 * @param trees uuids of the providers of each tree, by uuid of the root; a cache, because an analysis does not change
 * trees
 * @param roots uuids of all root providers, a cache; empty until they are queried
 */
record Mover(
        CloudCopy copy, Requests requests,
        Map<UUID, ObjectNode> requestSpecs, Map<UUID, Set<String>> trees, Set<String> roots) {
    private static final String DEDICATED_CPUS = "PCPU";
    private static final String CPUS = "VCPU";

    Mover(Snapshot snapshot, Requests requests, Map<UUID, ObjectNode> requestSpecs) {
        this(new CloudCopy(snapshot), requests, requestSpecs, new HashMap<>(), new HashSet<>());
    }

    /** Returns a copy for a trial. */
    Mover fork() {
        return new Mover(copy.fork(), requests, requestSpecs, trees, roots);
    }

    /** Returns the cloud after the moves so far. */
    Snapshot now() {
        return copy.now();
    }

    /** The outcome of trying a move. */
    sealed interface MoveOutcome {}

    /** The instance can move, to any of the hosts in {@code offered.attempts()}. */
    record CanMove(Movable.Request request, CloudCopy.AllPlaced decision) implements MoveOutcome {}

    /**
     * The instance stays.
     *
     * @param request the request that was tried; null if none is known
     * @param code why the instance stays
     * @param text the reason in one sentence; may be empty if {@code refused} explains it
     * @param refused the decision that found no host; null if no decision was made
     */
    record Stuck(
            @Nullable Movable.Request request, Code code, String text, @Nullable CloudCopy.Refused refused)
            implements MoveOutcome {}

    /** The time is up. */
    record TimeUp() implements MoveOutcome {}

    /** The reason why an instance stays. */
    enum Code implements WireNamed {
        /** No stored decision placed the instance, and the caller provided no request. */
        REQUEST_UNKNOWN,
        /** The instance holds other amounts than each of its requests demands. */
        REQUEST_DIFFERS,
        /** A decision refuses the instance's request. */
        REQUEST_INVALID,
        /** The instance holds no allocations on its origin, or its compute node does not exist any more. */
        HOLDS_NOTHING,
        /** No host can take the instance. */
        NO_VALID_HOST,
        /** The instance's metadata or scheduler hints pin it to its host; only for {@link ProposedMoves}. */
        PINNED
    }

    /**
     * Returns the compute nodes of a host as origins of moves. An unregistered host has one origin for each provider of
     * its name.
     */
    List<Movable.Origin> origins(String host) {
        RegistrySnapshot registry = now().registry();
        List<ComputeNode> nodes = registry.computeNodesOf(host);
        List<Movable.Origin> origins = new ArrayList<>();
        for (ComputeNode node : nodes) {
            origins.add(new Movable.Origin(host, node.nodename(), node.uuid(), node.cellUuid(), tree(node.uuid())));
        }
        if (nodes.isEmpty()) {
            for (String uuid : now().providersNamed(host).keySet()) {
                UUID provider = UUID.fromString(uuid);
                origins.add(new Movable.Origin(host, host, provider, null, tree(provider)));
            }
        }
        return origins;
    }

    /**
     * Returns the uuids of the providers of a root's tree; empty if placement does not have the root, and only the root
     * if the time was up.
     */
    private Set<String> tree(UUID provider) {
        return trees.computeIfAbsent(provider, root -> {
            Set<String> tree = new HashSet<>();
            try {
                JsonNode response = now().ask(List.of(new FleetQuery.Trees(List.of(root.toString())))).json(0);
                if (response == null) {
                    // The time is up: the tree has at least its root.
                    tree.add(root.toString());
                } else {
                    response.path("trees").forEach(each -> each.path("providers")
                            .forEach(member -> tree.add(member.path("uuid").asText())));
                }
            } catch (ApiFault fault) {
                if (fault.error().code() != ErrorCode.NOT_FOUND) {
                    throw fault;
                }
            }
            return tree;
        });
    }

    /** Returns the instances that are registered on the origin, in the order of their uuids. */
    static List<RegisteredInstance> instancesOn(Movable.Origin origin, RegistrySnapshot registry) {
        List<RegisteredInstance> instances = new ArrayList<>();
        for (String uuid : new TreeMap<>(registry.instancesOn(origin.host(), origin.nodename())).keySet()) {
            RegisteredInstance instance = registry.findInstance(UUID.fromString(uuid));
            if (instance != null) {
                instances.add(instance);
            }
        }
        return instances;
    }

    /**
     * Returns the instances that are registered on the origin, in the order of their uuids, at most {@code countMax};
     * adds a gap if there are more.
     */
    static List<RegisteredInstance> instancesOn(
            Movable.Origin origin, RegistrySnapshot registry, int countMax, List<String> gaps) {
        List<RegisteredInstance> instances = instancesOn(origin, registry);
        if (instances.size() <= countMax) {
            return instances;
        }
        gaps.add("instances: of host %s, only the first %d were evaluated".formatted(origin.host(), countMax));
        return instances.subList(0, countMax);
    }

    /** Reads the allocations and requests of instances. Returns the instances in the same order. */
    List<Movable> movables(Movable.Origin origin, List<RegisteredInstance> instances) {
        List<UUID> uuids = instances.stream().map(RegisteredInstance::uuid).toList();
        Map<UUID, List<Movable.Request>> requestsByInstance = requests.of(uuids, requestSpecs);
        Map<UUID, AllocationsResult.Allocations> held = now().allocations(uuids);
        return instances.stream()
                .map(each -> new Movable(
                        origin, each, Maps.require(held, each.uuid()),
                        requestsByInstance.getOrDefault(each.uuid(), List.of())))
                .toList();
    }

    /**
     * Tries to move an instance, without changing the copy. Uses the first of the instance's requests that demands the
     * amounts which the instance holds, or that is refused before it is known what it demands. If there is no such
     * request, the outcome is {@link Code#REQUEST_DIFFERS} for the first request.
     *
     * @param ignored names of hosts that must not be destinations
     * @param destination the only possible destination; null: any host
     */
    MoveOutcome attempt(Movable movable, Collection<String> ignored, @Nullable RequestedDestination destination) {
        if (movable.requests().isEmpty()) {
            return new Stuck(null, Code.REQUEST_UNKNOWN,
                    "its request is unknown: no stored decision placed the instance", null);
        }
        if (!movable.isOnOrigin()) {
            return new Stuck(null, Code.HOLDS_NOTHING, "the instance holds no allocations on the source", null);
        }
        Stuck firstDiffering = null;
        for (Movable.Request request : movable.requests()) {
            switch (copy.decide(spec(movable, request, ignored, destination), request.parsedSpec().toDerive())) {
                case CloudCopy.OutOfTime _ -> {
                    return new TimeUp();
                }
                case CloudCopy.AllPlaced placed when demandsHeldAmounts(movable, placed.queries()) -> {
                    return new CanMove(request, placed);
                }
                case CloudCopy.AllPlaced placed ->
                    firstDiffering = firstOrDiffering(firstDiffering, request, movable, placed.queries());
                case CloudCopy.Refused refused -> {
                    HostSearch.Queries queries = refused.queries();
                    if (queries == null || demandsHeldAmounts(movable, queries)) {
                        return new Stuck(
                                request,
                                refused.code() == ErrorCode.NO_VALID_HOST ? Code.NO_VALID_HOST : Code.REQUEST_INVALID,
                                refused.detail(), refused);
                    }
                    firstDiffering = firstOrDiffering(firstDiffering, request, movable, queries);
                }
            }
        }
        // Not null: there is at least one request, and every request that did not return differs.
        return Objects.requireNonNull(firstDiffering);
    }

    /** Returns the request spec of the move, as {@code POST /v1/moves} would build it. */
    private RequestSpec spec(
            Movable movable, Movable.Request request, Collection<String> ignored,
            @Nullable RequestedDestination destination) {
        RequestSpec recorded = DeletedNames.ignore(
                request.parsedSpec().spec(), now().registry(), now().options().defaults().defaultAvailabilityZone());
        List<String> allIgnored = new ArrayList<>(recorded.ignoreHosts());
        allIgnored.addAll(ignored);
        RequestSpec.Builder spec = recorded.toBuilder()
                .ignoreHosts(allIgnored)
                .projectId(recorded.projectId() == null ? movable.held().projectId() : recorded.projectId())
                .userId(recorded.userId() == null ? movable.held().userId() : recorded.userId());
        if (destination != null) {
            spec.requestedDestination(destination);
        }
        Movable.Origin origin = movable.origin();
        return MoveSpec.of(
                MoveKind.LIVE, movable.uuid(), spec.build(), new SourceHost(origin.host(), origin.cell()), false);
    }

    /** Returns {@code before}; if it is null, the outcome that this request differs from the instance's allocations. */
    private static Stuck firstOrDiffering(
            @Nullable Stuck before, Movable.Request request, Movable movable, HostSearch.Queries queries) {
        return before != null ? before : new Stuck(request, Code.REQUEST_DIFFERS,
                "the instance holds " + held(movable) + ", but its request demands " + requestedAmounts(queries), null);
    }

    /**
     * Returns whether the request's first query demands the amounts that the instance holds. They differ, for example,
     * if another service has resized the instance since its decision.
     */
    private static boolean demandsHeldAmounts(Movable movable, HostSearch.Queries queries) {
        return held(movable).equals(requestedAmounts(queries));
    }

    private static Map<String, Long> held(Movable movable) {
        Map<String, Long> sums = new TreeMap<>();
        movable.held().allocations().values().forEach(each -> each.forEach((name, amount) -> add(sums, name, amount)));
        return sums;
    }

    private static Map<String, Long> requestedAmounts(HostSearch.Queries queries) {
        Map<String, Long> sums = new TreeMap<>();
        Amounts.of(queries.query()).forEach((name, amount) -> add(sums, name, amount));
        return sums;
    }

    /**
     * Adds an amount to the sums. Adds PCPU to VCPU, because a request for dedicated CPUs may be placed on a host that
     * has only VCPU.
     */
    private static void add(Map<String, Long> sums, String name, long amount) {
        if (amount > 0) {
            sums.merge(name.equals(DEDICATED_CPUS) ? CPUS : name, amount, Long::sum);
        }
    }

    /** Moves an instance on the copy. Returns the host, with the claimed allocation candidate first in its list. */
    HostState move(Movable movable, CanMove free, RankedHost chosen) {
        HostState host = beginMove(free, chosen);
        copy.freeAllocations(movable.registered(), movable.held().allocations());
        return host;
    }

    /**
     * Begins a move on the copy: the instance then holds allocations on both hosts. Returns the host as {@link #move}
     * does.
     */
    HostState beginMove(CanMove free, RankedHost chosen) {
        return copy.place(free.decision(), chosen);
    }

    /**
     * Returns the amounts that are still used in the trees of the origins, by resource class; null if the time was up.
     */
    @Nullable Map<String, Long> remainingUse(List<Movable.Origin> origins) {
        Map<String, Long> used = new TreeMap<>();
        List<String> roots = origins.stream()
                .filter(each -> !each.tree().isEmpty())
                .map(each -> each.provider().toString())
                .toList();
        if (roots.isEmpty()) {
            return used;
        }
        JsonNode response = now().ask(List.of(new FleetQuery.Trees(roots))).json(0);
        if (response == null) {
            return null;
        }
        response.path("trees").forEach(tree -> tree.path("providers").forEach(
                provider -> provider.path("inventories").properties().forEach(inventory -> {
                    long amount = inventory.getValue().path("used").asLong();
                    if (amount > 0) {
                        used.merge(inventory.getKey(), amount, Long::sum);
                    }
                })));
        return used;
    }

    /**
     * Returns what excludes hosts as destinations of an instance that stays.
     *
     * @param ignored names of hosts that are not counted
     */
    ObstacleCount.Found obstacles(CloudCopy.Refused refused, Set<String> ignored) {
        try {
            return ObstacleCount.of(now(), refused, rootsInPlacement(), ignored);
        } catch (ApiFault fault) {
            if (fault.error().code().status() >= 500) {
                throw fault;
            }
            return new ObstacleCount.Found(
                    List.of(),
                    "no host can take the instance; placement refused to explain why: " + fault.error().detail());
        }
    }

    /** Returns the uuids of all root providers; null if the time was up. */
    private @Nullable Set<String> rootsInPlacement() {
        if (roots.isEmpty()) {
            JsonNode response = now().ask(List.of(new FleetQuery.Roots(null, null, null))).json(0);
            if (response == null) {
                return null;
            }
            response.path("roots").forEach(root -> roots.add(root.asText()));
        }
        return roots;
    }
}
