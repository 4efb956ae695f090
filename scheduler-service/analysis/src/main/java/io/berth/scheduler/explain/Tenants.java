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
 * Finds instances on a host that could run on other hosts. Queries placement once for each provider, and for each
 * instance that might leave. For one call, on the analysis worker.
 */
final class Tenants {
    /** The maximum instances that one change moves away. */
    private static final int LEAVING_MAX = 10;
    /** The maximum instances that are tried as the only one to leave. */
    private static final int ALONE_MAX = 4;

    private final Snapshot snapshot;
    private final MovesAway moves;
    /** Amounts by provider, consumer and resource class. */
    private final Map<UUID, Map<UUID, Map<String, Long>>> holders = new HashMap<>();
    /** Planned moves by the instances that leave; empty if one of them finds no other host. */
    private final Map<List<UUID>, Optional<List<DepartingInstance>>> known = new HashMap<>();

    /**
     * A consumer on the host.
     *
     * @param held amounts by provider and resource class, on the host's tree and on sharing providers that cause
     * obstacles
     */
    private record Tenant(UUID uuid, Map<String, Map<String, Long>> held) {
        long held(String provider, String resourceClass) {
            return held.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
        }
    }

    Tenants(Snapshot snapshot, MovesAway moves) {
        this.snapshot = snapshot;
        this.moves = moves;
    }

    /**
     * Returns the moves of the fewest instances that hold an amount and find another host: the smallest instance that
     * suffices alone, otherwise the largest ones together. Empty if there are none, or more than {@value #LEAVING_MAX}.
     *
     * @param provider uuid of the provider on which the amount is lacking
     * @param units the amount, at least 1
     */
    List<DepartingInstance> freeing(Evaluation.Host host, String provider, String resourceClass, long units) {
        boolean isRegistered = snapshot.isRegistered(host.target().provider().toString());
        List<Tenant> all = new ArrayList<>(of(host).stream()
                .filter(tenant -> tenant.held(provider, resourceClass) > 0)
                // A consumer that is not an instance is a migration, whose allocations end with the move.
                .filter(tenant -> !isRegistered || snapshot.registry().findInstance(tenant.uuid()) != null)
                .sorted(Comparator.comparingLong(tenant -> tenant.held(provider, resourceClass)))
                .toList());
        Optional<List<DepartingInstance>> alone = all.stream()
                .filter(tenant -> tenant.held(provider, resourceClass) >= units)
                .limit(ALONE_MAX)
                .map(tenant -> leaving(host, List.of(tenant)))
                .flatMap(Optional::stream)
                .findFirst();
        if (alone.isPresent() || all.stream().anyMatch(tenant -> tenant.held(provider, resourceClass) >= units)) {
            return alone.orElse(List.of());
        }
        List<Tenant> some = new ArrayList<>();
        long freed = 0;
        for (Tenant tenant : all.reversed()) {
            some.add(tenant);
            freed += tenant.held(provider, resourceClass);
            if (freed >= units) {
                return some.size() > LEAVING_MAX ? List.of() : leaving(host, some).orElse(List.of());
            }
        }
        return List.of();
    }

    /**
     * Returns the moves of {@code count} instances that are registered on the host and find another host. Empty if
     * there are fewer, or {@code count} is more than {@value #LEAVING_MAX}.
     */
    List<DepartingInstance> some(Evaluation.Host host, long count) {
        Set<String> running =
                snapshot.registry().instancesOn(host.target().host(), host.target().nodename()).keySet();
        List<Tenant> all = of(host).stream().filter(tenant -> running.contains(tenant.uuid().toString())).toList();
        if (count > LEAVING_MAX || all.size() < count) {
            return List.of();
        }
        return count > 1
                ? leaving(host, all.subList(0, (int) count)).orElse(List.of())
                : all.stream().limit(ALONE_MAX).map(tenant -> leaving(host, List.of(tenant)))
                        .flatMap(Optional::stream).findFirst().orElse(List.of());
    }

    private Optional<List<DepartingInstance>> leaving(Evaluation.Host host, List<Tenant> tenants) {
        return known.computeIfAbsent(tenants.stream().map(Tenant::uuid).toList(), uuids -> {
            List<DepartingInstance> away = moves.of(snapshot, host.target().host(), uuids);
            return Optional.ofNullable(away == null
                    ? null
                    : IntStream.range(0, uuids.size())
                            .mapToObj(i -> away.get(i).held().isEmpty()
                                    ? held(away.get(i), tenants.get(i))
                                    : away.get(i))
                            .toList());
        });
    }

    /** Returns the move of an instance that is not registered, with the allocations that placement has. */
    private static DepartingInstance held(DepartingInstance away, Tenant tenant) {
        return new DepartingInstance(away.instance(), away.to(), away.call(), tenant.held(), away.taken());
    }

    /** Returns the consumers of all providers of the host, sorted by uuid. */
    private List<Tenant> of(Evaluation.Host host) {
        Map<UUID, Map<String, Map<String, Long>>> held = new TreeMap<>();
        for (JsonNode provider : host.tree()) {
            String uuid = provider.path("uuid").asText();
            holders.computeIfAbsent(UUID.fromString(uuid), snapshot::holders).forEach(
                    (consumer, amounts) -> held
                            .computeIfAbsent(consumer, key -> new LinkedHashMap<>())
                            .put(uuid, amounts));
        }
        return held.entrySet().stream().map(each -> new Tenant(each.getKey(), each.getValue())).toList();
    }
}
