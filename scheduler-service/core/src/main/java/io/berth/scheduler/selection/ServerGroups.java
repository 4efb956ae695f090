package io.berth.scheduler.selection;

import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.groupreservation.GroupReservations;
import io.berth.scheduler.groupreservation.MovedMembers;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.Derived;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;

/**
 * Finds the server group of a request and completes it from the registry: policy, rule, members, their hosts, and the
 * hosts on which they have a reservation.
 * <br>Source: nova {@code scheduler/utils.py} (setup_instance_group).
 */
@Singleton
public class ServerGroups {
    private final RegistryFeed feed;
    private final GroupReservations reservations;
    private final MovedMembers moved;

    ServerGroups(RegistryFeed feed, GroupReservations reservations, MovedMembers moved) {
        this.feed = feed;
        this.reservations = reservations;
        this.moved = moved;
    }

    /**
     * Returns the current registry. First resolves the group's reservations on hosts that a member has left for good
     * or never reached.
     *
     * @param find returns null if there is no group
     */
    Uni<RegistrySnapshot> current(Function<RegistrySnapshot, ServerGroup> find, String requestId) {
        return feed.current().chain(registry -> {
            ServerGroup group = find.apply(registry);
            if (group == null) {
                return Uni.createFrom().item(registry);
            }
            Uni<Boolean> settled = group.reservations().isEmpty()
                    ? Uni.createFrom().item(false)
                    : reservations.settle(group, requestId);
            return moved.follow(group, registry)
                    .chain(() -> settled)
                    .chain(changed -> changed ? feed.current() : Uni.createFrom().item(registry));
        });
    }

    /**
     * Runs a statement by which the instances of a request join its group, once other joins of that group are done.
     *
     * @param scheduled the request with the group that was found for it, if there is one
     */
    Uni<Boolean> join(RequestSpec scheduled, Uni<Boolean> statement) {
        return reservations.join(
                groupOf(scheduled), scheduled.instanceUuids().stream().map(UUID::fromString).toList(), statement);
    }

    /** Returns null for a group without a uuid, as other requests cannot refer to it. */
    static @Nullable UUID groupOf(RequestSpec spec) {
        InstanceGroup group = spec.instanceGroup();
        return group == null ? null : group.findUuid();
    }

    /**
     * Adds the group to the request. Refuses it if the filter or weigher that enforces the group's policy is not
     * enabled.
     */
    public static Derived<RequestSpec> complete(
            RequestSpec spec, RegistrySnapshot registry, EnabledFilters filters, EnabledWeighers weighers) {
        ServerGroup known = find(spec, registry);
        InstanceGroup given = spec.instanceGroup();
        if (known == null && given == null) {
            return new Derived.Value<>(spec);
        }
        InstanceGroup group = withMoving(
                (known == null ? given : merged(given, known, spec, registry)).withMembers(spec.instanceUuids()),
                spec,
                registry);
        String missing = missingClass(group.policy(), filters, weighers);
        return missing == null
                ? new Derived.Value<>(spec.toBuilder().instanceGroup(group).build())
                : new Derived.Refused<>("server group policy " + group.policy() + " needs " + missing
                        + ", which is not enabled");
    }

    /**
     * Does the same as {@link #complete} for a request that forces hosts, as its claim will see the group. Forced
     * hosts pass no filter, and group reservations depend only on the registered group: members and hosts that only
     * the request names do not count, nor does a group without a uuid.
     */
    public static Derived<RequestSpec> completeForced(
            RequestSpec spec, RegistrySnapshot registry, EnabledFilters filters, EnabledWeighers weighers) {
        return switch (complete(spec, registry, filters, weighers)) {
            case Derived.Value<RequestSpec>(RequestSpec found) when isBinding(found.instanceGroup()) -> complete(
                    found.toBuilder().instanceGroup(asSeated(found.instanceGroup())).build(), registry, filters, weighers);
            case Derived<RequestSpec> other -> other;
        };
    }

    /** Returns a node of one of the hosts of an affinity group if none of its hosts is offered; null otherwise. */
    static @Nullable ComputeNode findHostNotOffered(
            @Nullable InstanceGroup group, List<HostState> offered, RegistrySnapshot registry) {
        if (group == null || !"affinity".equals(group.policy())
                || offered.stream().anyMatch(host -> group.hosts().contains(host.host()))) {
            return null;
        }
        return group.hosts().stream().flatMap(host -> registry.computeNodesOf(host).stream()).findFirst().orElse(null);
    }

    /** Returns whether the policy is enforced by reservations; the soft policies only rank hosts. */
    private static boolean isBinding(@Nullable InstanceGroup group) {
        return group != null && ("affinity".equals(group.policy()) || "anti-affinity".equals(group.policy()));
    }

    private static InstanceGroup asSeated(InstanceGroup group) {
        return new InstanceGroup(
                group.uuid(), group.findUuid() == null ? null : group.policy(), group.maxServerPerHost(), Set.of(),
                List.of());
    }

    /**
     * Finds the group by the request's own group, by the hint, or by membership. For nova's instances the group comes
     * with the request, so a group that is not in the request was deleted, and its stored members are leftovers.
     */
    public static @Nullable ServerGroup find(RequestSpec spec, RegistrySnapshot registry) {
        ServerGroup known = known(spec, registry);
        boolean isLeftOver = known != null && !known.isRegistered() && spec.instanceGroup() == null && registry.listsAllHosts();
        return isLeftOver ? null : known;
    }

    private static @Nullable ServerGroup known(RequestSpec spec, RegistrySnapshot registry) {
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

    /**
     * Merges the request's group with the known one. A registered group overrides the request; one that is only known
     * from earlier requests does not.
     */
    private static InstanceGroup merged(
            @Nullable InstanceGroup given, ServerGroup known, RequestSpec spec, RegistrySnapshot registry) {
        Set<String> hosts = new LinkedHashSet<>();
        Set<String> members = new HashSet<>(known.members());
        if (given != null) {
            hosts.addAll(given.hosts());
        }
        for (String member : known.members()) {
            UUID uuid = Uuids.find(member);
            RegisteredInstance instance = uuid == null ? null : registry.findInstance(uuid);
            if (instance != null) {
                hosts.add(instance.host());
            }
        }
        Set<String> own = Set.copyOf(spec.instanceUuids());
        Map<String, Set<String>> reservations = new HashMap<>();
        for (ServerGroup.Reservation reservation : known.reservations()) {
            String instance = reservation.instance().toString();
            if (!own.contains(instance)) {
                hosts.add(reservation.host());
                members.add(instance);
                reservations.computeIfAbsent(reservation.host(), made -> new HashSet<>()).add(instance);
            }
        }
        boolean asGiven = given != null && !known.isRegistered();
        if (asGiven) {
            members.addAll(given.members());
        }
        return new InstanceGroup(
                known.uuid().toString(),
                asGiven ? given.policy() : known.policy(),
                asGiven ? given.maxServerPerHost() : maxServerPerHost(known),
                members,
                hosts.stream().toList(),
                reservations);
    }

    private static InstanceGroup withMoving(InstanceGroup group, RequestSpec spec, RegistrySnapshot registry) {
        InstanceGroup all = group;
        for (var onHost : moving(group.policy(), group.members(), registry).entrySet()) {
            for (UUID member : onHost.getValue()) {
                if (!spec.instanceUuids().contains(member.toString())) {
                    all = all.withHost(onHost.getKey()).withSeat(onHost.getKey(), member.toString());
                }
            }
        }
        return all;
    }

    /**
     * Returns by host the members that nova moves from or to it, as they may end up on either. Affinity groups are
     * exempt: their members count only where nova has them, as nova-compute checks it.
     */
    private static Map<String, Set<UUID>> moving(
            @Nullable String policy, Set<String> members, RegistrySnapshot registry) {
        boolean areApart = "anti-affinity".equals(policy) || "soft-anti-affinity".equals(policy);
        if (!areApart || registry.moves().isEmpty()) {
            return Map.of();
        }
        Map<String, Set<UUID>> moving = new HashMap<>();
        members.stream().map(Uuids::find).filter(Objects::nonNull).forEach(member -> {
            // The move of a deleted instance may never end.
            if (registry.findInstance(member) != null) {
                registry.moves().getOrDefault(member, Set.of()).forEach(
                        host -> moving.computeIfAbsent(host, made -> new HashSet<>()).add(member));
            }
        });
        return moving;
    }

    private static @Nullable Long maxServerPerHost(ServerGroup group) {
        return group.maxServerPerHost() == null ? null : group.maxServerPerHost().longValue();
    }

    /**
     * Returns null for an instance without a group reservation, as it is in no group that other requests can refer
     * to.
     */
    static @Nullable <H> Grouping<H> grouping(
            RequestSpec spec, RegistrySnapshot registry, Function<H, HostState> host) {
        InstanceGroup group = spec.instanceGroup();
        UUID uuid = groupOf(spec);
        return uuid == null
                ? null
                : new Grouping<>(
                        uuid,
                        group.policy(),
                        group.maxServerPerHost(),
                        false,
                        each -> host.apply(each).host(),
                        moving(group.policy(), group.members(), registry));
    }

    /**
     * Returns the grouping of an instance that is already a member, for which only the given hosts are available;
     * null for no group.
     */
    static @Nullable <H> Grouping<H> grouping(
            @Nullable ServerGroup group, RegistrySnapshot registry, Function<H, String> host) {
        return group == null
                ? null
                : new Grouping<>(
                        group.uuid(), group.policy(), maxServerPerHost(group), true, host,
                        moving(group.policy(), group.members(), registry));
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
