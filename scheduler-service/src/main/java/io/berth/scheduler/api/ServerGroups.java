package io.berth.scheduler.api;

import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.Uuids;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.RegistrySnapshot;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.numa.Derived;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.EnabledWeighers;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.UUID;

/**
 * Completes a request with what is registered of its server group: policy, rule, members and the hosts they run on.
 * <br>Source: nova {@code scheduler/utils.py} (setup_instance_group).
 */
final class ServerGroups {
    private ServerGroups() {}

    /** Refused: the filter or weigher that would honour the group's policy is not enabled. */
    static Derived<RequestSpec> complete(
            RequestSpec spec, RegistrySnapshot registry, EnabledFilters filters, EnabledWeighers weighers) {
        ServerGroup registered = find(spec, registry);
        InstanceGroup given = spec.instanceGroup();
        if (registered == null && given == null) {
            return new Derived.Value<>(spec);
        }
        InstanceGroup group = registered == null ? given : merged(given, registered, registry);
        String missing = missingClass(group.policy(), filters, weighers);
        return missing == null
                ? new Derived.Value<>(spec.toBuilder().instanceGroup(group).build())
                : new Derived.Refused<>("server group policy " + group.policy() + " needs " + missing
                        + ", which is not enabled");
    }

    /** By the request's own group, by the hint, or by membership. */
    private static ServerGroup find(RequestSpec spec, RegistrySnapshot registry) {
        String named = spec.instanceGroup() != null
                ? spec.instanceGroup().uuid()
                : spec.schedulerHints().single("group");
        UUID uuid = named == null ? null : Uuids.find(named);
        if (uuid != null) {
            return registry.findServerGroup(uuid);
        }
        return spec.instanceUuids().stream()
                .map(registry::findServerGroupOf)
                .filter(found -> found != null)
                .findFirst()
                .orElse(null);
    }

    private static InstanceGroup merged(InstanceGroup given, ServerGroup registered, RegistrySnapshot registry) {
        Set<String> hosts = new LinkedHashSet<>();
        if (given != null) {
            hosts.addAll(given.hosts());
        }
        for (String member : registered.members()) {
            UUID uuid = Uuids.find(member);
            RegisteredInstance instance = uuid == null ? null : registry.findInstance(uuid);
            if (instance != null) {
                hosts.add(instance.host());
            }
        }
        return new InstanceGroup(
                registered.uuid().toString(),
                registered.policy(),
                registered.maxServerPerHost() == null ? null : registered.maxServerPerHost().longValue(),
                registered.members(),
                hosts.stream().toList());
    }

    private static String missingClass(String policy, EnabledFilters filters, EnabledWeighers weighers) {
        String needed = switch (policy) {
            case "affinity" -> "ServerGroupAffinityFilter";
            case "anti-affinity" -> "ServerGroupAntiAffinityFilter";
            case "soft-affinity" -> "ServerGroupSoftAffinityWeigher";
            case "soft-anti-affinity" -> "ServerGroupSoftAntiAffinityWeigher";
            case null, default -> null;
        };
        boolean enabled = needed == null
                || filters.inOrder().stream().anyMatch(filter -> filter.name().equals(needed))
                || weighers.inOrder().stream().anyMatch(weigher -> weigher.name().equals(needed));
        return enabled ? null : needed;
    }
}
