package io.berth.scheduler.drain;

import io.berth.scheduler.drain.DrainProgress.Counts;
import io.berth.scheduler.drain.DrainProgress.Host;
import io.berth.scheduler.drain.DrainProgress.LeavingInstance;
import io.berth.scheduler.drain.MovesUnderWay.MoveInProgress;
import io.berth.scheduler.host.registry.HostKeeper;
import io.berth.scheduler.host.registry.instance.InstanceNames;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.planning.Drain;
import io.berth.scheduler.planning.Drains;
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
 * block; they are for the analysis worker only, and throw ApiFault: 501 and 503 as placement responds.
 */
@Singleton
class DrainAnalysis {
    private static final String NOT_ALL_MOVES = "moves: not all that may be under way were evaluated";
    private static final String NOT_IN_MEMORY = "instances: the registry has more than fit in memory";

    private final MovesUnderWay underWay;
    private final Drains drains;
    private final NextMoves nextMoves;
    private final DrainStore store;
    private final InstanceNames names;
    private final HostKeeper hosts;

    DrainAnalysis(
            MovesUnderWay underWay, Drains drains, NextMoves nextMoves, DrainStore store, InstanceNames names,
            HostKeeper hosts) {
        this.underWay = underWay;
        this.drains = drains;
        this.nextMoves = nextMoves;
        this.store = store;
        this.names = names;
        this.hosts = hosts;
    }

    /**
     * Returns the moves that may begin now.
     *
     * @param limit maximum moves
     */
    DrainMoves next(Snapshot snapshot, StoredDrain drain, int limit) {
        RegistrySnapshot registry = snapshot.registry();
        MovesUnderWay.Found moving = underWay.of(snapshot, drain.hosts());
        Set<UUID> leaving = moving.instances();
        var slots = new MoveSlots(drain.body().parallel(), drain.body().perHost(), limit, moving.byHost());
        NextMoves.Found found = nextMoves.find(snapshot, drain.hostNames(), leaving, slots, hosts.isForeign());
        List<UUID> chosen = found.moves().stream().map(each -> each.instance()).toList();
        int remaining = registeredOn(drain, registry).values().stream().mapToInt(each -> without(each, leaving)).sum();
        List<String> gaps = new ArrayList<>();
        if (!moving.isWhole()) {
            gaps.add(NOT_ALL_MOVES);
        }
        if (registry.instancesAreFull()) {
            gaps.add(NOT_IN_MEMORY);
        }
        if (found.isLate()) {
            gaps.add("time: more moves may be possible");
        }
        return new DrainMoves(
                snapshot.asOf(), drain.name(), found, remaining, names.namesOf(chosen).await().indefinitely(),
                hosts.isForeign() ? null : store.lastMoves(chosen).await().indefinitely(), gaps);
    }

    /** Returns the progress, for which it plans all instances that have not begun to move. */
    DrainProgress progress(Snapshot snapshot, StoredDrain drain) {
        MovesUnderWay.Found moving = underWay.of(snapshot, drain.hosts());
        Drain plan = drains.planRest(snapshot, drain.hostNames(), moving.instances());
        List<LeavingInstance> leaving = new ArrayList<>();
        moving.moves().forEach(each -> leaving.add(new LeavingInstance(each.move().instance(), each.host(), each)));
        List<Drain.Instance> stuck = new ArrayList<>();
        Set<UUID> elsewhere = elsewhere(snapshot, plan);
        Map<String, Set<UUID>> registered = registeredOn(drain, snapshot.registry());
        for (Drain.Instance each : plan.instances()) {
            if (elsewhere.contains(each.uuid())) {
                leaving.add(new LeavingInstance(each.uuid(), each.from().host(), null));
            } else if (each.to() == null) {
                stuck.add(each);
            }
        }
        Set<UUID> left = moving.instances();
        left.addAll(elsewhere);
        if (plan.isWhole()) {
            stuck.addAll(onGoneNodes(registered, plan, left));
        }
        List<String> gaps = new ArrayList<>(plan.gaps());
        if (!moving.isWhole()) {
            gaps.add(NOT_ALL_MOVES);
        }
        Counts counts = count(drain, snapshot.registry(), registered, left, stuck.size());
        List<Host> standing = hosts(drain, snapshot.registry(), registered, plan, moving.moves(), left);
        return new DrainProgress(
                snapshot.asOf(), state(counts), counts, standing, stuck, leaving, names(plan, leaving),
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

    /** Returns how many of the instances have not begun to move. */
    private static int without(Set<UUID> instances, Set<UUID> leaving) {
        return (int) instances.stream().filter(instance -> !leaving.contains(instance)).count();
    }

    /** Returns the instances that hold no allocations on the host where they are registered, but on another host. */
    private static Set<UUID> elsewhere(Snapshot snapshot, Drain plan) {
        List<UUID> without = plan.instances().stream()
                .filter(Drain.Instance::holdsNothing)
                .map(Drain.Instance::uuid)
                .toList();
        Set<UUID> elsewhere = new HashSet<>();
        snapshot.allocations(without).forEach((instance, held) -> {
            if (!held.allocations().isEmpty()) {
                elsewhere.add(instance);
            }
        });
        return elsewhere;
    }

    /** Returns the instances whose compute node does not exist any more. The plan does not contain them. */
    private static List<Drain.Instance> onGoneNodes(
            Map<String, Set<UUID>> registered, Drain plan, Set<UUID> leaving) {
        Set<UUID> known = new HashSet<>(leaving);
        plan.instances().forEach(each -> known.add(each.uuid()));
        List<Drain.Instance> gone = new ArrayList<>();
        registered.forEach((host, instances) -> instances.stream()
                .filter(instance -> !known.contains(instance))
                .sorted()
                .forEach(instance -> gone.add(Drain.Instance.ofGoneNode(instance, host))));
        return gone;
    }

    private static Counts count(
            StoredDrain drain, RegistrySnapshot registry, Map<String, Set<UUID>> registered, Set<UUID> leaving,
            int stuck) {
        Set<UUID> start = new HashSet<>();
        drain.hosts().forEach(host -> start.addAll(host.instances()));
        Set<UUID> present = new HashSet<>(leaving);
        registered.values().forEach(present::addAll);
        int moved = 0;
        int gone = 0;
        for (UUID instance : start) {
            if (!present.contains(instance)) {
                boolean isRegistered = registry.findInstance(instance) != null;
                moved += isRegistered ? 1 : 0;
                gone += isRegistered ? 0 : 1;
            }
        }
        int arrived = (int) present.stream().filter(instance -> !start.contains(instance)).count();
        return new Counts(start.size(), moved, gone, arrived, leaving.size(), present.size() - leaving.size(), stuck);
    }

    private static List<Host> hosts(
            StoredDrain drain, RegistrySnapshot registry, Map<String, Set<UUID>> registered, Drain plan,
            List<MoveInProgress> moving, Set<UUID> leaving) {
        Map<String, Drain.Host> planned = new HashMap<>();
        plan.hosts().forEach(host -> planned.put(host.name(), host));
        return drain.hosts().stream().map(host -> {
            Drain.Host found = planned.get(host.host());
            return new Host(
                    host, Host.isDisabled(host.host(), registry), found == null ? null : found.providers().isEmpty(),
                    without(registered.get(host.host()), leaving),
                    found == null ? null : Drains.subtract(found.ofOthers(), held(moving, found)));
        }).toList();
    }

    /** Returns the amounts that moves in progress hold in the trees of a host, by resource class. */
    private static Map<String, Long> held(List<MoveInProgress> moving, Drain.Host host) {
        Map<String, Long> held = new HashMap<>();
        moving.forEach(move -> Drains.add(held, move.held(), host.providers()));
        return held;
    }

    private Map<UUID, String> names(Drain plan, List<LeavingInstance> leaving) {
        Map<UUID, String> all = new HashMap<>(plan.names());
        all.putAll(names.namesOf(leaving.stream().map(LeavingInstance::instance).toList()).await().indefinitely());
        return all;
    }

    /**
     * Returns the commands for nova that disable the services which are not disabled; null if Berth manages the
     * services.
     */
    @Nullable List<String> commands(StoredDrain drain, RegistrySnapshot registry) {
        return hosts.isForeign()
                ? drain.hostNames().stream()
                        .filter(host -> !Host.isDisabled(host, registry))
                        .map(host -> NovaCommands.disable(host, drain.body().reason()))
                        .toList()
                : null;
    }
}
