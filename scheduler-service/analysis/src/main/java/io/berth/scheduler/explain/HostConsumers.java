package io.berth.scheduler.explain;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.job.Snapshot;
import io.berth.scheduler.planning.MovesAway;
import io.berth.scheduler.planning.MovesAway.DepartingInstance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * Finds instances on a host that could run on other hosts, so that their amounts on this host become free. Queries
 * placement once for each provider, and once or more for each instance that might leave. An object is for one
 * explanation, on the analysis worker.
 */
final class HostConsumers {
    /** The maximum number of instances that are moved away together. */
    private static final int MOVED_TOGETHER_MAX = 10;
    /** The maximum number of instances that are tried as the only one to move away. */
    private static final int MOVED_ALONE_MAX = 4;

    private final Snapshot snapshot;
    private final MovesAway moves;
    /** The held amounts that were read already, by provider, consumer and resource class. */
    private final Map<UUID, Map<UUID, Map<String, Long>>> holders = new HashMap<>();
    /**
     * The moves that were planned already, by the instances that leave; empty if one of them is pinned to the host
     * ({@code berth:pinned}) or finds no other host, or if the time was up.
     */
    private final Map<List<UUID>, Optional<List<DepartingInstance>>> plannedMoves = new HashMap<>();

    /**
     * A consumer on the host.
     *
     * @param held amounts by provider and resource class, on the host's tree and on sharing providers that cause
     * obstacles
     */
    private record HostConsumer(UUID uuid, Map<String, Map<String, Long>> held) {
        long held(String provider, String resourceClass) {
            return held.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
        }
    }

    HostConsumers(Snapshot snapshot, MovesAway moves) {
        this.snapshot = snapshot;
        this.moves = moves;
    }

    /**
     * Returns moves of instances to other hosts that free an amount. If any instance suffices alone, tries the
     * {@value #MOVED_ALONE_MAX} smallest that do, and returns the move of the first that can move; empty if none can.
     * Otherwise returns the moves of the largest instances together; empty if one of them cannot move, if more than
     * {@value #MOVED_TOGETHER_MAX} are necessary, or if all instances together do not suffice.
     *
     * @param provider uuid of the provider on which the amount is lacking
     * @param units the amount, at least 1
     */
    List<DepartingInstance> movesThatFree(Evaluation.Host host, String provider, String resourceClass, long units) {
        boolean isRegistered = snapshot.isRegistered(host.target().provider().toString());
        List<HostConsumer> all = new ArrayList<>(of(host).stream()
                .filter(tenant -> tenant.held(provider, resourceClass) > 0)
                // On a registered host, another consumer may be a migration, whose allocations end with its move.
                .filter(tenant -> !isRegistered || snapshot.registry().findInstance(tenant.uuid()) != null)
                .sorted(Comparator.comparingLong(tenant -> tenant.held(provider, resourceClass)))
                .toList());
        Optional<List<DepartingInstance>> alone = all.stream()
                .filter(tenant -> tenant.held(provider, resourceClass) >= units)
                .limit(MOVED_ALONE_MAX)
                .map(tenant -> plan(host, List.of(tenant)))
                .flatMap(Optional::stream)
                .findFirst();
        if (alone.isPresent() || all.stream().anyMatch(tenant -> tenant.held(provider, resourceClass) >= units)) {
            return alone.orElse(List.of());
        }
        List<HostConsumer> largest = new ArrayList<>();
        long freed = 0;
        for (HostConsumer tenant : all.reversed()) {
            largest.add(tenant);
            freed += tenant.held(provider, resourceClass);
            if (freed >= units) {
                return largest.size() > MOVED_TOGETHER_MAX ? List.of() : plan(host, largest).orElse(List.of());
            }
        }
        return List.of();
    }

    /**
     * Returns moves to other hosts of {@code count} instances that are registered on the host and hold amounts of it:
     * the first in the order of their uuids. If {@code count} is 1, tries up to {@value #MOVED_ALONE_MAX} instances,
     * and returns the move of the first that can move. Empty if there are fewer such instances, if {@code count}
     * exceeds {@value #MOVED_TOGETHER_MAX}, or if an instance cannot move (if {@code count} is 1: if none of the tried
     * ones can).
     */
    List<DepartingInstance> movesOfInstances(Evaluation.Host host, long count) {
        Set<String> running =
                snapshot.registry().instancesOn(host.target().host(), host.target().nodename()).keySet();
        List<HostConsumer> all = of(host).stream().filter(tenant -> running.contains(tenant.uuid().toString()))
                .toList();
        if (count > MOVED_TOGETHER_MAX || all.size() < count) {
            return List.of();
        }
        return count > 1
                ? plan(host, all.subList(0, (int) count)).orElse(List.of())
                : all.stream().limit(MOVED_ALONE_MAX).map(tenant -> plan(host, List.of(tenant)))
                        .flatMap(Optional::stream).findFirst().orElse(List.of());
    }

    /** Plans the moves of the consumers to other hosts. Empty if {@link MovesAway#plan} plans none. */
    private Optional<List<DepartingInstance>> plan(Evaluation.Host host, List<HostConsumer> tenants) {
        return plannedMoves.computeIfAbsent(tenants.stream().map(HostConsumer::uuid).toList(), uuids -> {
            List<DepartingInstance> moved = moves.plan(snapshot, host.target().host(), uuids);
            return Optional.ofNullable(moved == null
                    ? null
                    : IntStream.range(0, uuids.size())
                            .mapToObj(i -> moved.get(i).held().isEmpty()
                                    ? held(moved.get(i), tenants.get(i))
                                    : moved.get(i))
                            .toList());
        });
    }

    /** Returns the move of an instance that is not registered, with the allocations that placement has. */
    private static DepartingInstance held(DepartingInstance away, HostConsumer tenant) {
        return new DepartingInstance(away.instance(), away.to(), away.call(), tenant.held(), away.taken());
    }

    /** Returns the consumers of all providers of the host, sorted by uuid. */
    private List<HostConsumer> of(Evaluation.Host host) {
        Map<UUID, Map<String, Map<String, Long>>> held = new TreeMap<>();
        for (JsonNode provider : host.tree()) {
            String uuid = provider.path("uuid").asText();
            holders.computeIfAbsent(UUID.fromString(uuid), snapshot::holders).forEach(
                    (consumer, amounts) -> held
                            .computeIfAbsent(consumer, key -> new LinkedHashMap<>())
                            .put(uuid, amounts));
        }
        return held.entrySet().stream().map(each -> new HostConsumer(each.getKey(), each.getValue())).toList();
    }
}
