package io.berth.scheduler.job;

import io.berth.scheduler.decision.Round;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.Collection;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.RoomLeft;
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
 * real one: after each step it is as placement and registry would have it, and as the hosts would report it (NUMA
 * cells, PCI devices, number of instances). The cells and devices of a removed instance stay taken, because it is
 * unknown which it had.
 *
 * <p>Mutable. For one thread, the analysis worker.
 */
public final class Copy {
    /** Instances whose allocations are read before the deadline is checked again. */
    private static final int TOGETHER = 200;

    private final Snapshot base;
    private final Map<String, Map<String, Long>> use = new LinkedHashMap<>();
    private RegistrySnapshot registry;
    /**
     * The last snapshot of this copy; null if the copy changed since. Made only on demand, because it sends all changes
     * of use together, which is costly.
     */
    private @Nullable Snapshot now;

    public Copy(Snapshot snapshot) {
        this.base = snapshot;
        this.registry = snapshot.registry();
        this.now = snapshot;
    }

    /** Returns another copy of the same state, for a trial. */
    public Copy fork() {
        Copy fork = new Copy(base);
        use.forEach((provider, resources) -> fork.use.put(provider, new LinkedHashMap<>(resources)));
        fork.registry = registry;
        fork.now = now;
        return fork;
    }

    /** The outcome of a decision. */
    public sealed interface Decided {}

    /**
     * Every instance has a host.
     *
     * @param scheduling before any is placed
     * @param placed once all are, each on its best host
     */
    public record Offered(HostSearch.Queries queries, Scheduling scheduling, Scheduling placed) implements Decided {
        /** Returns the hosts of the first instance, best first. */
        public List<RankedHost> attempts() {
            return scheduling.round().attempts();
        }
    }

    /**
     * No host was found, or the request is invalid.
     *
     * @param queries null if placement was not queried for candidates
     * @param round null if there were no candidates
     */
    public record Refused(
            ErrorCode code, String detail, @Nullable HostSearch.Queries queries, @Nullable Round round)
            implements Decided {}

    /** The deadline passed before the decision. */
    public record OutOfTime() implements Decided {}

    /** Returns the cloud after all placements, moves and removals. */
    public Snapshot now() {
        if (now == null) {
            List<FleetUse> more = new ArrayList<>();
            use.forEach((provider, resources) -> {
                Map<String, Long> changed = new LinkedHashMap<>(resources);
                changed.values().removeIf(amount -> amount == 0);
                if (!changed.isEmpty()) {
                    more.add(new FleetUse(provider, changed));
                }
            });
            now = base.after(registry, more);
        }
        return now;
    }

    /** Returns the decision that would be made. Changes nothing. Throws ApiFault (500 and up) if it cannot be made. */
    public Decided decide(RequestSpec asked, Constraints.Open open) {
        HostSearch.Planned planned;
        try {
            planned = now().plan(asked, open);
        } catch (ApiFault wrong) {
            return refused(wrong);
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

    private Decided decide(HostSearch.Queries queries) {
        try {
            Offered offered = now().decide(
                    List.of(), queries, now().candidates(List.of(), queries), candidates -> offer(queries, candidates),
                    each -> !each.placed().isComplete());
            if (offered == null) {
                return new OutOfTime();
            }
            Round last = offered.placed().round();
            if (last == null) {
                return offered;
            }
            if (last.error() != null) {
                return new Refused(ErrorCode.REQUEST_INVALID, last.error().detail(), queries, last);
            }
            return new Refused(
                    ErrorCode.NO_VALID_HOST,
                    last.index() == 0
                            ? ""
                            : "not all of %d instances find a host".formatted(offered.placed().instanceCount()),
                    queries,
                    last.preselection().hostCountIn() == 0 ? null : last);
        } catch (ApiFault fault) {
            // An invalid query is the fault of the request; invalid changes are not.
            if (fault.error().detail().contains("asks[")) {
                return refused(fault);
            }
            throw fault;
        }
    }

    private Offered offer(HostSearch.Queries queries, AllocationCandidates candidates) {
        Scheduling begun = Scheduling.begin(
                queries.spec(), now().hosts(candidates, queries), now().inputs(SchedulingInputs.Detail.COUNTS));
        return new Offered(queries, begun, begun.place(new RoomLeft(candidates)::take));
    }

    /**
     * Places the request's one instance on that host. Returns the host as claimed, with the candidate first in its
     * list.
     */
    public HostState take(Offered offered, RankedHost chosen) {
        return enter(offered.scheduling().consume(chosen).done().getLast());
    }

    /** Places all instances of the request, each on its best host. */
    public List<HostState> take(Offered offered) {
        return offered.placed().done().stream().map(this::enter).toList();
    }

    private HostState enter(Scheduling.Placed placed) {
        HostState host = placed.host();
        Map<String, Map<String, Long>> taken = host.allocationCandidates().isEmpty()
                ? Map.of()
                : host.allocationCandidates().getFirst().allocations();
        charge(taken, 1);
        Changes changes = new Changes();
        RequestSpec spec = placed.round().spec();
        UUID instance = UUID.fromString(spec.instanceUuid());
        changes.put(Collection.INSTANCES, instance, new RegisteredInstance(
                instance, host.host(), host.nodename(), running(instance, spec)));
        UUID provider = host.uuid() == null ? null : Uuids.find(host.uuid());
        ComputeNode node = provider == null ? null : registry.findComputeNode(provider);
        if (node != null) {
            changes.put(Collection.COMPUTE_NODES, node.uuid(), new ComputeNode(
                    node.uuid(),
                    node.using(taken, 1)
                            .numaTopology(placed.after().numaTopology())
                            .pciStats(placed.after().pciStats())
                            .numInstances(node.state().numInstances() + 1)
                            .build(),
                    node.provider()));
        }
        join(spec.instanceGroup(), instance, changes);
        changes.make();
        return host;
    }

    /** Returns the instance as its record would describe it. */
    private RunningInstance running(UUID instance, RequestSpec spec) {
        RegisteredInstance before = registry.findInstance(instance);
        return new RunningInstance(
                spec.flavor().id(),
                spec.image() == null ? null : ImageProperties.read(spec.image().properties()),
                before != null && before.running().isPinned());
    }

    private void join(@Nullable InstanceGroup group, UUID instance, Changes changes) {
        UUID uuid = group == null || group.uuid() == null ? null : Uuids.find(group.uuid());
        if (uuid == null) {
            return;
        }
        ServerGroup known = registry.findServerGroup(uuid);
        Set<String> members = new HashSet<>(known == null ? Set.of() : known.members());
        if (members.add(instance.toString())) {
            changes.put(Collection.SERVER_GROUPS, uuid, known == null
                    ? new ServerGroup(
                            uuid, null, group.policy(),
                            group.maxServerPerHost() == null ? null : group.maxServerPerHost().intValue(),
                            members, false, List.of())
                    : new ServerGroup(
                            uuid, known.name(), known.policy(), known.maxServerPerHost(), members,
                            known.isRegistered(), known.reservations()));
        }
    }

    /**
     * Frees the allocations and places of the registered ones among these instances, in their order, until the time is
     * up.
     */
    public void vacate(List<UUID> instances) {
        for (int i = 0; i < instances.size() && !base.deadline().isUp(); i += TOGETHER) {
            List<RegisteredInstance> some = instances.subList(i, Math.min(instances.size(), i + TOGETHER)).stream()
                    .map(registry::findInstance)
                    .filter(Objects::nonNull)
                    .toList();
            Map<UUID, AllocationsAnswer.Held> held =
                    base.allocations(some.stream().map(RegisteredInstance::uuid).toList());
            some.forEach(instance -> leave(instance, held.get(instance.uuid()).allocations()));
        }
    }

    /**
     * Removes the allocations of an instance, and its place, unless it was placed elsewhere since.
     *
     * @param from where it was
     * @param held by provider and resource class
     */
    public void leave(RegisteredInstance from, Map<String, Map<String, Long>> held) {
        charge(held, -1);
        Changes changes = new Changes();
        RegisteredInstance there = registry.findInstance(from.uuid());
        if (there != null && there.host().equals(from.host())
                && (from.nodename() == null || from.nodename().equals(there.nodename()))) {
            changes.put(Collection.INSTANCES, from.uuid(), null);
        }
        ComputeNode node = registry.findNodeOf(from);
        if (node != null) {
            changes.put(Collection.COMPUTE_NODES, node.uuid(), node.without(from.uuid(), held));
        }
        changes.make();
    }

    private void charge(Map<String, Map<String, Long>> allocations, int times) {
        allocations.forEach((provider, resources) -> {
            Map<String, Long> held = use.computeIfAbsent(provider, made -> new LinkedHashMap<>());
            resources.forEach((name, amount) -> held.merge(name, times * amount, Long::sum));
        });
    }

    /** Changes of the registry that are made at once. */
    private final class Changes {
        private final Map<Collection, Map<UUID, RegistryRecord>> records = new EnumMap<>(Collection.class);

        /** @param record null: it is removed */
        void put(Collection collection, UUID uuid, @Nullable RegistryRecord record) {
            records.computeIfAbsent(collection, made -> new HashMap<>()).put(uuid, record);
        }

        void make() {
            if (!records.isEmpty()) {
                registry = registry.after(records, registry.asOf());
            }
            now = null;
        }
    }
}
