package io.berth.scheduler.planning;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.body.RequestSpecBody;
import io.berth.scheduler.capacity.Room;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.job.FillCounts;
import io.berth.scheduler.job.FleetQuery;
import io.berth.scheduler.job.FleetResults;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.json.WrittenJson;
import io.berth.scheduler.request.query.Amounts;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.weigher.RankedHost;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Proposes moves that make room for more instances of a request. In each step, one instance, or a few of the largest
 * together, leave a host, so that more instances of the request fit than before; hosts that lack the least are tried
 * first. Destinations that cannot take the request anyway are preferred. Considers only lacking amounts, no other
 * obstacles of the request, and only its first query, not the fallback query.
 */
final class CapacityFreeing {
    /** The maximum number of hosts whose usage is evaluated in one step. */
    private static final int EVALUATED_MAX = 500;
    /** The maximum number of hosts that are tried in one step; the hosts that lack the least come first. */
    private static final int TRIED_MAX = 20;
    /** The maximum number of instances of one host that are tried alone. */
    private static final int SINGLES_MAX = 4;
    /** The maximum number of instances of one host that are read; further ones are not considered. */
    private static final int INSTANCES_MAX = 200;

    private final RequestSpecBody request;
    private final int count;
    private final List<String> gaps = new ArrayList<>();

    /** @param count the number of instances of the request that are to fit */
    CapacityFreeing(RequestSpecBody request, int count) {
        this.request = request;
        this.count = count;
    }

    Proposal find(ProposedMoves start) {
        Room before = room(start);
        Room room = before;
        ProposedMoves course = start;
        while (room.count() < count && room.refusal() == null) {
            if (course.isTimeUp()) {
                gaps.add("time: more moves might help");
                break;
            }
            StepResult found = course.movesLeft() == 0 ? null : step(course, room.count());
            if (found == null) {
                break;
            }
            course = found.course();
            room = found.room();
        }
        if (course.isTimeUp() && gaps.isEmpty() && room.count() < count) {
            gaps.add("time: more moves might help");
        }
        if (room.whyIncomplete() != null) {
            gaps.add("count: " + room.whyIncomplete());
        }
        Room after = room;
        return new Proposal("make_room", after.count() >= count, course,
                json -> {
                    json.writeObjectFieldStart("slots");
                    json.writeNumberField("wanted", count);
                    json.writeNumberField("before", before.count());
                    json.writeNumberField("after", after.count());
                    json.writeEndObject();
                },
                json -> {
                    WrittenJson.writeIfAny(json, "refused", after.refusal());
                    WrittenJson.writeNumbers(json, after.binding());
                },
                gaps);
    }

    private Room room(ProposedMoves course) {
        return Room.of(course.now(), request, "$.goal.make_room", count);
    }

    /** The result of a step: the moves so far, and how many instances of the request fit then. */
    private record StepResult(ProposedMoves course, Room room) {}

    /**
     * A host that cannot take the request.
     *
     * @param provider uuid of the host's root provider
     * @param lacks lacking amounts by resource class
     * @param distance sum of the lacking fractions of the requested amounts: 0 if no amount is lacking
     */
    private record Target(String host, UUID provider, Map<String, Long> lacks, double distance) {}

    /**
     * The hosts of one step.
     *
     * @param nearest hosts that cannot take the request; the hosts that lack the least come first
     * @param rootsWithRoom uuids of the root providers of hosts that can take the request
     */
    private record Targets(List<Target> nearest, Set<String> rootsWithRoom) {}

    /**
     * Returns the result of the first trial after which more than {@code slots} instances of the request fit; null if
     * no trial achieves that.
     */
    private @Nullable StepResult step(ProposedMoves course, long slots) {
        Targets targets = targets(course.now());
        for (Target target : targets.nearest()) {
            for (Movable.Origin origin : course.mover().origins(target.host())) {
                if (!origin.provider().equals(target.provider())) {
                    continue;
                }
                for (List<Movable> leaving : sets(course, origin, target)) {
                    if (course.isTimeUp()) {
                        return null;
                    }
                    StepResult found = attempt(course, leaving, targets.rootsWithRoom(), slots);
                    if (found != null) {
                        return found;
                    }
                }
            }
        }
        return null;
    }

    /**
     * Moves the instances on a copy. Returns null if one of them cannot be moved, or if not more than {@code slots}
     * instances of the request fit then.
     *
     * @param rootsWithRoom uuids of the root providers of hosts that can take the request; destinations only if there
     * are no others
     */
    private @Nullable StepResult attempt(ProposedMoves course, List<Movable> leaving, Set<String> rootsWithRoom,
            long slots) {
        ProposedMoves trial = course.fork();
        for (Movable movable : leaving) {
            if (trial.move(movable, List.of(), attempts -> choose(attempts, rootsWithRoom)) == null) {
                return null;
            }
        }
        Room room = room(trial);
        return room.count() > slots ? new StepResult(trial, room) : null;
    }

    /** Returns the best host that cannot take the request; the best of all if there is none. */
    private static RankedHost choose(List<RankedHost> attempts, Set<String> rootsWithRoom) {
        for (RankedHost each : attempts) {
            if (!rootsWithRoom.contains(each.host().uuid())) {
                return each;
            }
        }
        return attempts.getFirst();
    }

    private Targets targets(Snapshot now) {
        if (!(now.plan(request.spec(), request.toDerive()) instanceof HostSearch.Queries queries)) {
            return new Targets(List.of(), Set.of());
        }
        FleetResults results = now.ask(List.of(new FleetQuery.Fill(queries.query(), 1)));
        FillCounts fill = results.fill(0);
        List<String> withoutRoom = new ArrayList<>();
        Set<String> rootsWithRoom = new HashSet<>();
        for (int i = 0; fill != null && i < fill.counts().length; i++) {
            String root = results.roots().get(i);
            if (fill.counts()[i] > 0) {
                rootsWithRoom.add(root);
            } else if (fill.counts()[i] == 0) {
                // -1 is ignored: such a tree lacks something other than an amount, or was not evaluated.
                withoutRoom.add(root);
            }
        }
        if (withoutRoom.size() > EVALUATED_MAX) {
            gaps.add("hosts: of %d without room, only %d were evaluated".formatted(withoutRoom.size(), EVALUATED_MAX));
            withoutRoom = withoutRoom.subList(0, EVALUATED_MAX);
        }
        return new Targets(withoutRoom.isEmpty() ? List.of() : nearest(now, queries, withoutRoom), rootsWithRoom);
    }

    private static List<Target> nearest(Snapshot now, HostSearch.Queries queries, List<String> roots) {
        Map<String, Long> requested = Amounts.of(queries.query());
        Map<String, String> names = names(now, roots);
        List<Target> targets = new ArrayList<>();
        JsonNode response = now.ask(List.of(new FleetQuery.Trees(roots))).json(0);
        if (response == null) {
            return targets;
        }
        for (JsonNode tree : response.path("trees")) {
            Map<String, Long> free = new HashMap<>();
            String root = null;
            for (JsonNode provider : tree.path("providers")) {
                if (provider.path("parent").isNull() || provider.path("parent").isMissingNode()) {
                    root = provider.path("uuid").asText();
                }
                provider.path("resources").properties().forEach(each -> free.merge(
                        each.getKey(),
                        each.getValue().path("capacity").asLong() - each.getValue().path("used").asLong(), Long::sum));
            }
            String name = root == null ? null : names.get(root);
            if (name == null) {
                continue;
            }
            Map<String, Long> lacks = new TreeMap<>();
            double distance = 0;
            for (Map.Entry<String, Long> each : requested.entrySet()) {
                // A class that is not in the tree comes from a sharing provider.
                long lack = free.containsKey(each.getKey()) ? each.getValue() - free.get(each.getKey()) : 0;
                if (lack > 0) {
                    lacks.put(each.getKey(), lack);
                    distance += (double) lack / each.getValue();
                }
            }
            targets.add(new Target(name, UUID.fromString(root), lacks, distance));
        }
        targets.sort(Comparator.comparingDouble(Target::distance).thenComparing(Target::host));
        return targets.subList(0, Math.min(TRIED_MAX, targets.size()));
    }

    /** Returns the names of the hosts with these root providers, by the provider's uuid. */
    private static Map<String, String> names(Snapshot now, List<String> roots) {
        Map<String, String> names = new HashMap<>();
        Set<String> unregistered = new HashSet<>();
        for (String root : roots) {
            UUID uuid = Uuids.find(root);
            ComputeNode node = uuid == null ? null : now.registry().findComputeNode(uuid);
            if (node == null) {
                unregistered.add(root);
            } else {
                names.put(root, node.host());
            }
        }
        if (!unregistered.isEmpty()) {
            for (HostState host : now.unregisteredHosts(unregistered)) {
                names.put(host.uuid(), host.host());
            }
        }
        return names;
    }

    /**
     * Returns sets of instances that would free the lacking amounts: first up to {@value #SINGLES_MAX} sets of one
     * instance, those with the least memory first; then the set of the instances that free the most, if it suffices and
     * has at least two instances, but not more than moves are left.
     */
    private List<List<Movable>> sets(ProposedMoves course, Movable.Origin origin, Target target) {
        List<RegisteredInstance> registered =
                Mover.instancesOn(origin, course.now().registry(), INSTANCES_MAX, gaps);
        List<Movable> movables = course.mover().movables(origin, registered).stream().filter(course::mayMove).toList();
        List<List<Movable>> sets = new ArrayList<>();
        movables.stream()
                .filter(each -> target.lacks().entrySet().stream()
                        .allMatch(lack -> each.heldAmount(lack.getKey()) >= lack.getValue()))
                .sorted(Comparator.comparingLong(each -> each.heldAmount("MEMORY_MB")))
                .limit(SINGLES_MAX)
                .forEach(each -> sets.add(List.of(each)));
        List<Movable> largest = new ArrayList<>();
        Map<String, Long> remainingLacks = new HashMap<>(target.lacks());
        for (Movable movable : movables.stream()
                .sorted(Comparator.<Movable>comparingDouble(each -> freed(each, target.lacks())).reversed())
                .toList()) {
            if (remainingLacks.values().stream().allMatch(lack -> lack <= 0)) {
                break;
            }
            largest.add(movable);
            remainingLacks.replaceAll((name, lack) -> lack - movable.heldAmount(name));
        }
        boolean suffices = remainingLacks.values().stream().allMatch(lack -> lack <= 0);
        if (suffices && largest.size() > 1 && largest.size() <= course.movesLeft()) {
            sets.add(largest);
        }
        return sets;
    }

    /** Returns the sum, over the lacking amounts, of the fraction that the instance would free, each at most 1. */
    private static double freed(Movable movable, Map<String, Long> lacks) {
        double freed = 0;
        for (Map.Entry<String, Long> lack : lacks.entrySet()) {
            freed += Math.min(1.0, (double) movable.heldAmount(lack.getKey()) / lack.getValue());
        }
        return freed;
    }
}
