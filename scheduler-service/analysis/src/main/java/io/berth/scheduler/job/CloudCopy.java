package io.berth.scheduler.job;

import io.berth.model.Maps;
import io.berth.scheduler.decision.Round;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.RemainingCapacity;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.ImageProperties;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * A copy of the cloud on which instances are placed, moved and removed, one after the other, without any effect on the
 * real cloud. After each step the copy has the usage that placement, the registry and the hosts' reports (NUMA cells,
 * PCI devices, number of instances) would have. The NUMA cells and PCI devices of a removed instance stay allocated,
 * because it is not known which of them the instance had.
 *
 * <p>Mutable. For one thread, the analysis worker.
 */
public final class CloudCopy {
    /** The number of instances whose allocations are read before the deadline is checked again. */
    private static final int READ_BATCH = 200;

    private final Snapshot base;
    /** The changes of used amounts so far, by provider uuid and resource class; negative if an amount was freed. */
    private final Map<String, Map<String, Long>> use = new LinkedHashMap<>();
    private RegistrySnapshot registry;
    /**
     * The snapshot of this copy's present state; null if the copy has changed since the snapshot was created. Created
     * when it is needed, not after each change.
     */
    private @Nullable Snapshot now;

    public CloudCopy(Snapshot snapshot) {
        this.base = snapshot;
        this.registry = snapshot.registry();
        this.now = snapshot;
    }

    /** Returns another copy of the same state, for a trial. */
    public CloudCopy fork() {
        CloudCopy fork = new CloudCopy(base);
        use.forEach((provider, resources) -> fork.use.put(provider, new LinkedHashMap<>(resources)));
        fork.registry = registry;
        fork.now = now;
        return fork;
    }

    /** The result of {@link CloudCopy#decide(RequestSpec, Constraints.Open)}. */
    public sealed interface DecisionResult {}

    /**
     * Every instance of the request has a host.
     *
     * @param queries the queries to placement that found the hosts
     * @param scheduling the state before the first instance is placed
     * @param placed the state after all instances are placed, each on its best host
     */
    public record AllPlaced(HostSearch.Queries queries, Scheduling scheduling, Scheduling placed)
            implements DecisionResult {
        /** Returns the hosts of the first instance, best first. */
        public List<RankedHost> rankedHosts() {
            return scheduling.openRound().attempts();
        }
    }

    /**
     * An instance has no host, or the request is invalid.
     *
     * @param detail the cause; empty if the first instance has no host, because {@code round} or {@code queries} then
     * explain it
     * @param queries the queries to placement; null if placement was not queried for candidates
     * @param round the evaluation of hosts for the instance that has none; null if {@code queries} is null or there
     * were no candidates
     */
    public record Refused(
            ErrorCode code, String detail, @Nullable HostSearch.Queries queries, @Nullable Round round)
            implements DecisionResult {}

    /** The deadline passed before the decision. */
    public record OutOfTime() implements DecisionResult {}

    /** Returns the cloud after all placements, moves and removals so far. */
    public Snapshot now() {
        if (now == null) {
            List<FleetUse> uses = new ArrayList<>();
            use.forEach((provider, resources) -> {
                Map<String, Long> changed = new LinkedHashMap<>(resources);
                changed.values().removeIf(amount -> amount == 0);
                if (!changed.isEmpty()) {
                    uses.add(new FleetUse(provider, changed));
                }
            });
            now = base.after(registry, uses);
        }
        return now;
    }

    /**
     * Decides a request on the present state, without changing this copy. Throws ApiFault if no decision is possible:
     * with a status of 500 or more, for example because placement does not respond, or with a lower one if placement
     * refuses the changes of this copy.
     *
     * @param toDerive which constraints are derived from flavor and image, because the request does not contain them
     */
    public DecisionResult decide(RequestSpec request, Constraints.Open toDerive) {
        HostSearch.Planned planned;
        try {
            planned = now().plan(request, toDerive);
        } catch (ApiFault fault) {
            return refused(fault);
        }
        return switch (planned) {
            case HostSearch.Refused(ErrorCode code, String detail, _) -> new Refused(code, detail, null, null);
            case HostSearch.Queries queries -> decide(queries);
        };
    }

    private static Refused refused(ApiFault fault) {
        if (fault.error().code().status() >= 500) {
            throw fault;
        }
        return new Refused(fault.error().code(), fault.error().detail(), null, null);
    }

    private DecisionResult decide(HostSearch.Queries queries) {
        try {
            AllPlaced decided = now().decide(
                    List.of(), queries, now().candidates(List.of(), queries),
                    candidates -> placeAll(queries, candidates),
                    each -> !each.placed().isComplete());
            if (decided == null) {
                return new OutOfTime();
            }
            Round last = decided.placed().round();
            if (last == null) {
                return decided;
            }
            if (last.error() != null) {
                return new Refused(ErrorCode.REQUEST_INVALID, last.error().detail(), queries, last);
            }
            return new Refused(
                    ErrorCode.NO_VALID_HOST,
                    last.index() == 0
                            ? ""
                            : "not all of %d instances find a host".formatted(decided.placed().instanceCount()),
                    queries,
                    last.preselection().hostCountIn() == 0 ? null : last);
        } catch (ApiFault fault) {
            // If the request is invalid, placement's message contains the path of a query, such as asks[0]. Otherwise
            // placement refused this copy's changes.
            if (fault.error().detail().contains("asks[")) {
                return refused(fault);
            }
            throw fault;
        }
    }

    /**
     * Places the instances of a request on these candidates, without changing this copy. The result's {@code placed} is
     * incomplete if an instance has no host.
     */
    private AllPlaced placeAll(HostSearch.Queries queries, AllocationCandidates candidates) {
        Scheduling scheduling = Scheduling.begin(
                queries.spec(), now().hosts(candidates, queries), now().inputs(SchedulingInputs.Detail.COUNTS));
        return new AllPlaced(queries, scheduling, scheduling.place(new RemainingCapacity(candidates)::tryTake));
    }

    /**
     * Places the only instance of a request on a host, and thus changes this copy.
     *
     * @param chosen one of {@link AllPlaced#rankedHosts}
     * @return the host, with the claimed allocation candidate first in its list
     */
    public HostState place(AllPlaced decision, RankedHost chosen) {
        return apply(decision.scheduling().consume(chosen).done().getLast());
    }

    /**
     * Places all instances of a request, each on its best host, and thus changes this copy. Returns the instances'
     * hosts.
     */
    public List<HostState> place(AllPlaced decision) {
        return decision.placed().done().stream().map(this::apply).toList();
    }

    /** Adds one placement to this copy: the amounts in placement, and the instance, node and group in the registry. */
    private HostState apply(Scheduling.Placed placed) {
        HostState host = placed.host();
        Map<String, Map<String, Long>> taken = host.allocationCandidates().isEmpty()
                ? Map.of()
                : host.allocationCandidates().getFirst().allocations();
        changeUse(taken, 1);
        Changes changes = new Changes();
        RequestSpec spec = placed.round().spec();
        UUID instance = UUID.fromString(spec.instanceUuid());
        changes.put(RecordCollection.INSTANCES, instance, new RegisteredInstance(
                instance, host.host(), host.nodename(), running(instance, spec)));
        UUID provider = host.uuid() == null ? null : Uuids.find(host.uuid());
        ComputeNode node = provider == null ? null : registry.findComputeNode(provider);
        if (node != null) {
            changes.put(RecordCollection.COMPUTE_NODES, node.uuid(), new ComputeNode(
                    node.uuid(),
                    node.stateBuilderWithUsage(taken, 1)
                            .numaTopology(placed.after().numaTopology())
                            .pciStats(placed.after().pciStats())
                            .numInstances(node.state().numInstances() + 1)
                            .build(),
                    node.provider()));
        }
        addToGroup(spec.instanceGroup(), instance, changes);
        changes.apply();
        return host;
    }

    /** Returns the instance as the registry would describe it. */
    private RunningInstance running(UUID instance, RequestSpec spec) {
        RegisteredInstance before = registry.findInstance(instance);
        return new RunningInstance(
                spec.flavor().id(),
                spec.image() == null ? null : ImageProperties.read(spec.image().properties()),
                before != null && before.running().isPinned());
    }

    /** Adds the instance to the server group; does nothing if the request has no group with a uuid. */
    private void addToGroup(@Nullable InstanceGroup group, UUID instance, Changes changes) {
        UUID uuid = group == null || group.uuid() == null ? null : Uuids.find(group.uuid());
        if (group == null || uuid == null) {
            return;
        }
        ServerGroup registered = registry.findServerGroup(uuid);
        Set<String> members = new HashSet<>(registered == null ? Set.of() : registered.members());
        if (members.add(instance.toString())) {
            changes.put(RecordCollection.SERVER_GROUPS, uuid, registered == null
                    ? new ServerGroup(
                            uuid, null, group.policy(),
                            group.maxServerPerHost() == null ? null : group.maxServerPerHost().intValue(),
                            members, false, List.of())
                    : new ServerGroup(
                            uuid, registered.name(), registered.policy(), registered.maxServerPerHost(), members,
                            registered.isRegistered(), registered.reservations()));
        }
    }

    /**
     * Removes instances with their allocations, in the order of the list. Ignores instances that are not registered.
     * Stops at the deadline.
     */
    public void removeInstances(List<UUID> instances) {
        for (int i = 0; i < instances.size() && !base.deadline().isUp(); i += READ_BATCH) {
            List<RegisteredInstance> batch = instances.subList(i, Math.min(instances.size(), i + READ_BATCH)).stream()
                    .map(registry::findInstance)
                    .filter(Objects::nonNull)
                    .toList();
            Map<UUID, AllocationsResult.Allocations> held =
                    base.allocations(batch.stream().map(RegisteredInstance::uuid).toList());
            batch.forEach(instance -> freeAllocations(instance, Maps.require(held, instance.uuid()).allocations()));
        }
    }

    /**
     * Frees allocations of an instance. Removes the instance from the registry, unless it was placed on another host or
     * compute node since.
     *
     * @param from the registration before the move or removal
     * @param held the amounts to free, by provider uuid and resource class
     */
    public void freeAllocations(RegisteredInstance from, Map<String, Map<String, Long>> held) {
        changeUse(held, -1);
        Changes changes = new Changes();
        RegisteredInstance registered = registry.findInstance(from.uuid());
        if (registered != null && registered.host().equals(from.host())
                && (from.nodename() == null || from.nodename().equals(registered.nodename()))) {
            changes.put(RecordCollection.INSTANCES, from.uuid(), null);
        }
        ComputeNode node = registry.findNodeOf(from);
        if (node != null) {
            changes.put(RecordCollection.COMPUTE_NODES, node.uuid(), node.without(from.uuid(), held));
        }
        changes.apply();
    }

    /**
     * Changes the used amounts of providers in {@link #use}.
     *
     * @param allocations amounts by provider uuid and resource class
     * @param sign 1 to add the amounts, -1 to subtract them
     */
    private void changeUse(Map<String, Map<String, Long>> allocations, int sign) {
        allocations.forEach((provider, resources) -> {
            Map<String, Long> held = use.computeIfAbsent(provider, key -> new LinkedHashMap<>());
            resources.forEach((name, amount) -> held.merge(name, sign * amount, Long::sum));
        });
    }

    /** Changes of this copy's registry that are applied together. */
    private final class Changes {
        private final Map<RecordCollection, Map<UUID, RegistryRecord>> records = new EnumMap<>(RecordCollection.class);

        /** @param record the new record; null: the record is removed */
        void put(RecordCollection collection, UUID uuid, @Nullable RegistryRecord record) {
            records.computeIfAbsent(collection, key -> new HashMap<>()).put(uuid, record);
        }

        /** Applies the changes, and discards the snapshot of the state before. */
        void apply() {
            if (!records.isEmpty()) {
                registry = registry.after(records, registry.asOf());
            }
            now = null;
        }
    }
}
