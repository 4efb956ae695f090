package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Moves instances on a copy of the cloud, as live migrations that {@code POST /v1/moves} begins would if each is
 * confirmed before the next begins. While an instance moves it holds allocations on both hosts, afterwards on the new
 * host only. For one analysis, on the analysis worker.
 *
 * @param given request specs that the caller stated, by instance
 * @param trees uuids of the providers of each tree, by root; cached, because an analysis does not change trees
 * @param roots uuids of all root providers, cached too; empty until they are queried
 */
record Mover(
        CloudCopy copy, Requests requests,
        Map<UUID, ObjectNode> given, Map<UUID, Set<String>> trees, Set<String> roots) {
    private static final String PINNED_CPUS = "PCPU";
    private static final String CPUS = "VCPU";

    Mover(Snapshot snapshot, Requests requests, Map<UUID, ObjectNode> given) {
        this(new CloudCopy(snapshot), requests, given, new HashMap<>(), new HashSet<>());
    }

    /** Returns a copy for a trial. */
    Mover fork() {
        return new Mover(copy.fork(), requests, given, trees, roots);
    }

    /** Returns the cloud after the moves so far. */
    Snapshot now() {
        return copy.now();
    }

    /** The outcome of trying a move. */
    sealed interface MoveOutcome {}

    /** The instance can move, to any host in {@code offered.attempts()}. */
    record Free(Movable.Request request, CloudCopy.AllPlaced offered) implements MoveOutcome {}

    /**
     * The instance stays.
     *
     * @param request the request that was tried; null if none is known
     * @param text the reason; may be empty if {@code refused} has it
     * @param refused the decision without a host; null if no decision was made
     */
    record Stuck(
            @Nullable Movable.Request request, Code code, String text, @Nullable CloudCopy.Refused refused)
            implements MoveOutcome {}

    /** The time is up. */
    record TimeUp() implements MoveOutcome {}

    /** The reason why an instance stays. */
    enum Code implements WireNamed {
        /** No stored decision placed the instance, and the caller stated no request. */
        REQUEST_UNKNOWN,
        /** The instance holds other amounts than its requests demand. */
        REQUEST_DIFFERS,
        /** A decision refuses the instance's request. */
        REQUEST_INVALID,
        /** The instance holds no allocations on its origin. */
        HOLDS_NOTHING,
        NO_VALID_HOST,
        /** The instance's metadata or scheduler hints pin it to its host. */
        PINNED
    }

    /** Returns a host's nodes as origins of moves. The origin of an unregistered host is its root provider. */
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

    /** Returns the uuids of the providers of a root's tree; empty if placement does not have the root. */
    private Set<String> tree(UUID provider) {
        return trees.computeIfAbsent(provider, asked -> {
            Set<String> tree = new HashSet<>();
            try {
                JsonNode response = now().ask(List.of(new FleetQuery.Trees(List.of(asked.toString())))).json(0);
                if (response == null) {
                    // The time is up: the tree has at least its root.
                    tree.add(asked.toString());
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

    /** Reads the allocations and requests of instances. Returns the instances in the same order. */
    List<Movable> movables(Movable.Origin origin, List<RegisteredInstance> instances) {
        List<UUID> uuids = instances.stream().map(RegisteredInstance::uuid).toList();
        Map<UUID, List<Movable.Request>> known = requests.of(uuids, given);
        Map<UUID, AllocationsResult.Allocations> held = now().allocations(uuids);
        return instances.stream()
                .map(each -> new Movable(
                        origin, each, held.get(each.uuid()), known.getOrDefault(each.uuid(), List.of())))
                .toList();
    }

    /**
     * Tries to move an instance, without changing the copy. Uses the first of the instance's requests that demands what
     * the instance holds.
     *
     * @param ignored names of hosts that are no destinations
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
        Stuck differs = null;
        for (Movable.Request request : movable.requests()) {
            switch (copy.decide(spec(movable, request, ignored, destination), request.read().toDerive())) {
                case CloudCopy.OutOfTime _ -> {
                    return new TimeUp();
                }
                case CloudCopy.AllPlaced offered when fits(movable, offered.queries()) -> {
                    return new Free(request, offered);
                }
                case CloudCopy.AllPlaced offered -> differs = differs(differs, request, movable, offered.queries());
                case CloudCopy.Refused refused when refused.queries() == null || fits(movable, refused.queries()) -> {
                    return new Stuck(
                            request,
                            refused.code() == ErrorCode.NO_VALID_HOST ? Code.NO_VALID_HOST : Code.REQUEST_INVALID,
                            refused.detail(), refused);
                }
                case CloudCopy.Refused refused -> differs = differs(differs, request, movable, refused.queries());
            }
        }
        return differs;
    }

    private RequestSpec spec(
            Movable movable, Movable.Request request, Collection<String> ignored,
            @Nullable RequestedDestination destination) {
        RequestSpec asked = DeletedNames.ignore(
                request.read().spec(), now().registry(), now().options().defaults().defaultAvailabilityZone());
        List<String> allIgnored = new ArrayList<>(asked.ignoreHosts());
        allIgnored.addAll(ignored);
        RequestSpec.Builder spec = asked.toBuilder()
                .ignoreHosts(allIgnored)
                .projectId(asked.projectId() == null ? movable.held().projectId() : asked.projectId())
                .userId(asked.userId() == null ? movable.held().userId() : asked.userId());
        if (destination != null) {
            spec.requestedDestination(destination);
        }
        Movable.Origin origin = movable.origin();
        return MoveSpec.of(
                MoveKind.LIVE, movable.uuid(), spec.build(), new SourceHost(origin.host(), origin.cell()), false);
    }

    /** Returns the failure of the first request that differs from the allocations. */
    private static Stuck differs(
            @Nullable Stuck before, Movable.Request request, Movable movable, HostSearch.Queries queries) {
        return before != null ? before : new Stuck(request, Code.REQUEST_DIFFERS,
                "the instance holds " + held(movable) + ", but its request demands " + requestedAmounts(queries), null);
    }

    /**
     * Returns whether the query demands the amounts that the instance holds. They differ if another service has resized
     * the instance since its decision.
     */
    private static boolean fits(Movable movable, HostSearch.Queries queries) {
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

    /** Adds an amount, of PCPU to VCPU: a request for dedicated CPUs may be placed on a host that has only VCPU. */
    private static void add(Map<String, Long> sums, String name, long amount) {
        if (amount > 0) {
            sums.merge(name.equals(PINNED_CPUS) ? CPUS : name, amount, Long::sum);
        }
    }

    /** Moves an instance on the copy. Returns the host, with the claimed allocation candidate first in its list. */
    HostState move(Movable movable, Free free, RankedHost chosen) {
        HostState host = begin(free, chosen);
        copy.leave(movable.registered(), movable.held().allocations());
        return host;
    }

    /**
     * Begins a move on the copy: the instance then holds allocations on both hosts. Returns the host as {@link #move}
     * does.
     */
    HostState begin(Free free, RankedHost chosen) {
        return copy.take(free.offered(), chosen);
    }

    /**
     * Returns the amounts that are still used in the trees of the origins, by resource class; null if the time was up.
     */
    @Nullable Map<String, Long> remainingUse(List<Movable.Origin> origins) {
        Map<String, Long> left = new TreeMap<>();
        List<String> roots = origins.stream()
                .filter(each -> !each.tree().isEmpty())
                .map(each -> each.provider().toString())
                .toList();
        if (roots.isEmpty()) {
            return left;
        }
        JsonNode response = now().ask(List.of(new FleetQuery.Trees(roots))).json(0);
        if (response == null) {
            return null;
        }
        response.path("trees").forEach(tree -> tree.path("providers").forEach(
                provider -> provider.path("inventories").properties().forEach(inventory -> {
                    long used = inventory.getValue().path("used").asLong();
                    if (used > 0) {
                        left.merge(inventory.getKey(), used, Long::sum);
                    }
                })));
        return left;
    }

    /**
     * Returns what excludes hosts as destinations of an instance that stays.
     *
     * @param without names of hosts that are left out
     */
    ObstacleCounts.Found obstacles(CloudCopy.Refused refused, Set<String> without) {
        try {
            return ObstacleCounts.of(now(), refused, known(), without);
        } catch (ApiFault fault) {
            if (fault.error().code().status() >= 500) {
                throw fault;
            }
            return new ObstacleCounts.Found(
                    List.of(), "no host will do; placement refused to explain why: " + fault.error().detail());
        }
    }

    /** Returns the uuids of all root providers; null if the time was up. */
    private @Nullable Set<String> known() {
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
