package io.berth.scheduler.drain;

import io.berth.scheduler.drain.DrainProgress.Counts;
import io.berth.scheduler.drain.DrainProgress.Host;
import io.berth.scheduler.drain.DrainProgress.LeavingInstance;
import io.berth.scheduler.drain.MovesUnderWay.MoveInProgress;
import io.berth.scheduler.host.registry.HostKeeper;
import io.berth.scheduler.host.registry.instance.InstanceNames;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.planning.DrainPlan;
import io.berth.scheduler.planning.DrainPlanner;
import io.berth.scheduler.planning.MoveSlots;
import io.berth.scheduler.planning.NextMoves;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Computes the progress and the next moves of a drain, from the present state of the cloud. Methods with a snapshot
 * block, are for the analysis worker only, and throw ApiFault: 501 if placement is not Berth's, 503 if it does not
 * respond.
 */
@Singleton
class DrainAnalysis {
    private static final String NOT_ALL_MOVES = "moves: not all moves in progress were evaluated";

    private final MovesUnderWay movesUnderWay;
    private final DrainPlanner drains;
    private final NextMoves nextMoves;
    private final DrainStore store;
    private final InstanceNames names;
    private final HostKeeper hostKeeper;

    DrainAnalysis(
            MovesUnderWay movesUnderWay, DrainPlanner drains, NextMoves nextMoves, DrainStore store,
            InstanceNames names,
            HostKeeper hostKeeper) {
        this.movesUnderWay = movesUnderWay;
        this.drains = drains;
        this.nextMoves = nextMoves;
        this.store = store;
        this.names = names;
        this.hostKeeper = hostKeeper;
    }

    /**
     * Returns the moves that may begin now.
     *
     * @param limit maximum number of moves
     */
    DrainMoves next(Snapshot snapshot, StoredDrain drain, int limit) {
        RegistrySnapshot registry = snapshot.registry();
        MovesUnderWay.Found moving = movesUnderWay.find(snapshot, drain.hosts());
        Set<UUID> leaving = moving.instances();
        var slots = new MoveSlots(drain.body().parallel(), drain.body().perHost(), limit, moving.byHost());
        NextMoves.Found found = nextMoves.find(snapshot, drain.hostNames(), leaving, slots, hostKeeper.isForeign());
        List<UUID> chosen = found.moves().stream().map(each -> each.instance()).toList();
        int remaining = registeredOn(drain, registry).values().stream()
                .mapToInt(each -> countWithout(each, leaving))
                .sum();
        List<String> gaps = new ArrayList<>();
        if (!moving.isWhole()) {
            gaps.add(NOT_ALL_MOVES);
        }
        if (registry.hasOmittedInstances()) {
            gaps.add(Snapshot.INSTANCES_OMITTED);
        }
        if (found.isLate()) {
            gaps.add("time: more moves may be possible");
        }
        return new DrainMoves(
                snapshot.asOf(), drain.name(), found, remaining, names.namesOf(chosen).await().indefinitely(),
                hostKeeper.isForeign() ? null : store.lastMoves(chosen).await().indefinitely(), gaps);
    }

    /**
     * Returns the progress. Plans the instances that have not begun to move, in order to find those that have no
     * destination.
     */
    DrainProgress progress(Snapshot snapshot, StoredDrain drain) {
        MovesUnderWay.Found moving = movesUnderWay.find(snapshot, drain.hosts());
        DrainPlan plan = drains.planRest(snapshot, drain.hostNames(), moving.instances());
        List<LeavingInstance> leaving = new ArrayList<>();
        moving.moves().forEach(each -> leaving.add(new LeavingInstance(each.move().instance(), each.host(), each)));
        List<DrainPlan.Instance> stuck = new ArrayList<>();
        Set<UUID> placedElsewhere = findPlacedElsewhere(snapshot, plan);
        Map<String, Set<UUID>> registered = registeredOn(drain, snapshot.registry());
        for (DrainPlan.Instance each : plan.instances()) {
            if (placedElsewhere.contains(each.uuid())) {
                leaving.add(new LeavingInstance(each.uuid(), each.from().host(), null));
            } else if (each.to() == null) {
                stuck.add(each);
            }
        }
        Set<UUID> begun = moving.instances();
        begun.addAll(placedElsewhere);
        if (plan.isWhole()) {
            // Otherwise, an instance may be missing from the plan because it was not evaluated.
            stuck.addAll(onGoneNodes(registered, plan, begun));
        }
        List<String> gaps = new ArrayList<>(plan.gaps());
        if (!moving.isWhole()) {
            gaps.add(NOT_ALL_MOVES);
        }
        Counts counts = count(drain, snapshot.registry(), registered, begun, stuck.size());
        List<Host> hosts = hosts(drain, snapshot.registry(), registered, plan, moving.moves(), begun);
        return new DrainProgress(
                snapshot.asOf(), state(counts), counts, hosts, stuck, leaving, names(plan, leaving),
                commands(drain, snapshot.registry()), gaps);
    }

    static DrainState state(Counts counts) {
        if (counts.underWay() > 0 || counts.remaining() > counts.stuck()) {
            return DrainState.MOVING;
        }
        return counts.remaining() > 0 ? DrainState.STUCK : DrainState.DONE;
    }

    /** Returns the instances that are registered on each host, in the order of the drain's hosts. */
    private static Map<String, Set<UUID>> registeredOn(StoredDrain drain, RegistrySnapshot registry) {
        Map<String, Set<UUID>> byHost = new LinkedHashMap<>();
        drain.hostNames().forEach(host -> byHost.put(host, DrainStart.instancesOn(host, registry)));
        return byHost;
    }

    /** Returns how many of the instances are not among those that have begun to move. */
    private static int countWithout(Set<UUID> instances, Set<UUID> leaving) {
        return (int) instances.stream().filter(instance -> !leaving.contains(instance)).count();
    }

    /**
     * Returns the instances that hold no allocations on the host where they are registered, but on another host. They
     * are being moved without {@code POST /v1/moves}.
     */
    private static Set<UUID> findPlacedElsewhere(Snapshot snapshot, DrainPlan plan) {
        List<UUID> withoutAllocations = plan.instances().stream()
                .filter(DrainPlan.Instance::holdsNothing)
                .map(DrainPlan.Instance::uuid)
                .toList();
        Set<UUID> placedElsewhere = new HashSet<>();
        snapshot.allocations(withoutAllocations).forEach((instance, held) -> {
            if (!held.allocations().isEmpty()) {
                placedElsewhere.add(instance);
            }
        });
        return placedElsewhere;
    }

    /** Returns the instances whose compute node does not exist any more, so that the plan does not contain them. */
    private static List<DrainPlan.Instance> onGoneNodes(
            Map<String, Set<UUID>> registered, DrainPlan plan, Set<UUID> leaving) {
        Set<UUID> otherInstances = new HashSet<>(leaving);
        plan.instances().forEach(each -> otherInstances.add(each.uuid()));
        List<DrainPlan.Instance> onGoneNodes = new ArrayList<>();
        registered.forEach((host, instances) -> instances.stream()
                .filter(instance -> !otherInstances.contains(instance))
                .sorted()
                .forEach(instance -> onGoneNodes.add(DrainPlan.Instance.ofGoneNode(instance, host))));
        return onGoneNodes;
    }

    private static Counts count(
            StoredDrain drain, RegistrySnapshot registry, Map<String, Set<UUID>> registered, Set<UUID> leaving,
            int stuck) {
        Set<UUID> atStart = new HashSet<>();
        drain.hosts().forEach(host -> atStart.addAll(host.instances()));
        Set<UUID> present = new HashSet<>(leaving);
        registered.values().forEach(present::addAll);
        int moved = 0;
        int gone = 0;
        for (UUID instance : atStart) {
            if (!present.contains(instance)) {
                boolean isRegistered = registry.findInstance(instance) != null;
                moved += isRegistered ? 1 : 0;
                gone += isRegistered ? 0 : 1;
            }
        }
        int arrived = (int) present.stream().filter(instance -> !atStart.contains(instance)).count();
        return new Counts(atStart.size(), moved, gone, arrived, leaving.size(), present.size() - leaving.size(), stuck);
    }

    /** Returns the hosts of the drain, in its order. A host that is missing from the plan was not evaluated. */
    private static List<Host> hosts(
            StoredDrain drain, RegistrySnapshot registry, Map<String, Set<UUID>> registered, DrainPlan plan,
            List<MoveInProgress> moving, Set<UUID> leaving) {
        Map<String, DrainPlan.Host> planned = new HashMap<>();
        plan.hosts().forEach(host -> planned.put(host.name(), host));
        return drain.hosts().stream().map(host -> {
            DrainPlan.Host found = planned.get(host.host());
            return new Host(
                    host, Host.isDisabled(host.host(), registry), found == null ? null : found.providers().isEmpty(),
                    countWithout(registered.getOrDefault(host.host(), Set.of()), leaving),
                    found == null ? null : DrainPlanner.subtract(found.usedByOthers(), held(moving, found)));
        }).toList();
    }

    /** Returns the amounts that moves in progress hold on the providers of a host, by resource class. */
    private static Map<String, Long> held(List<MoveInProgress> moving, DrainPlan.Host host) {
        Map<String, Long> held = new HashMap<>();
        moving.forEach(move -> DrainPlanner.add(held, move.held(), host.providers()));
        return held;
    }

    /** Returns the names of the instances of the plan and of those that have begun to move, by uuid. */
    private Map<UUID, String> names(DrainPlan plan, List<LeavingInstance> leaving) {
        Map<UUID, String> all = new HashMap<>(plan.names());
        all.putAll(names.namesOf(leaving.stream().map(LeavingInstance::instance).toList()).await().indefinitely());
        return all;
    }

    /**
     * Returns the commands for nova that disable the services which are not disabled; null if Berth manages the
     * services.
     */
    @Nullable List<String> commands(StoredDrain drain, RegistrySnapshot registry) {
        return hostKeeper.isForeign()
                ? drain.hostNames().stream()
                        .filter(host -> !Host.isDisabled(host, registry))
                        .map(host -> NovaCommands.disable(host, drain.body().reason()))
                        .toList()
                : null;
    }
}
