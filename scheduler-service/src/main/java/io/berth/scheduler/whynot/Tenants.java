package io.berth.scheduler.whynot;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.question.Snapshot;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/** Who lives on a host, and what each would leave. Asks placement once for each provider. */
final class Tenants {
    /** Where more would have to leave, that is no change to propose. */
    private static final int LEAVING_MAX = 10;

    private final Snapshot snapshot;
    private final Map<UUID, Map<UUID, Map<String, Long>>> holders = new HashMap<>();

    /** @param held by provider and resource class: of the host's tree, and of who shares with it and is in the way */
    record Tenant(UUID uuid, Map<String, Map<String, Long>> held) {
        long held(String provider, String resourceClass) {
            return held.getOrDefault(provider, Map.of()).getOrDefault(resourceClass, 0L);
        }
    }

    Tenants(Snapshot snapshot) {
        this.snapshot = snapshot;
    }

    /**
     * The fewest that hold so much of it: of those that do alone the smallest, or else the largest. Empty where that is
     * nobody, or too many.
     *
     * @param units at least 1
     */
    List<Tenant> freeing(Evaluation.Host host, String provider, String resourceClass, long units) {
        boolean isRegistered = snapshot.isRegistered(host.target().provider().toString());
        List<Tenant> all = new ArrayList<>(of(host).stream()
                .filter(tenant -> tenant.held(provider, resourceClass) > 0)
                // Who is no instance is a migration, which gives its place up by itself.
                .filter(tenant -> !isRegistered || snapshot.registry().findInstance(tenant.uuid()) != null)
                .sorted(Comparator.comparingLong(tenant -> tenant.held(provider, resourceClass)))
                .toList());
        for (Tenant tenant : all) {
            if (tenant.held(provider, resourceClass) >= units) {
                return List.of(tenant);
            }
        }
        List<Tenant> leaving = new ArrayList<>();
        long freed = 0;
        for (Tenant tenant : all.reversed()) {
            leaving.add(tenant);
            freed += tenant.held(provider, resourceClass);
            if (freed >= units) {
                return leaving.size() > LEAVING_MAX ? List.of() : leaving;
            }
        }
        return List.of();
    }

    /** So many of those that are known to run there. Empty where there are not, or too many. */
    List<Tenant> some(Evaluation.Host host, long count) {
        Set<String> running =
                snapshot.registry().instancesOn(host.target().host(), host.target().nodename()).keySet();
        List<Tenant> known = of(host).stream().filter(tenant -> running.contains(tenant.uuid().toString())).toList();
        return count > LEAVING_MAX || known.size() < count ? List.of() : known.subList(0, (int) count);
    }

    private List<Tenant> of(Evaluation.Host host) {
        Map<UUID, Map<String, Map<String, Long>>> held = new TreeMap<>();
        for (JsonNode provider : host.tree()) {
            String uuid = provider.path("uuid").asText();
            holders.computeIfAbsent(UUID.fromString(uuid), snapshot::holders).forEach(
                    (consumer, amounts) -> held.computeIfAbsent(consumer, made -> new LinkedHashMap<>()).put(uuid, amounts));
        }
        return held.entrySet().stream().map(each -> new Tenant(each.getKey(), each.getValue())).toList();
    }
}
