package io.berth.scheduler.selection;

import io.berth.scheduler.claim.Grouping;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredInstance;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.seat.MovedMembers;
import io.berth.scheduler.seat.Seats;
import io.berth.scheduler.text.Derived;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.berth.scheduler.weigher.RankedHost;
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
 * The server group of a request, with what is known of it: policy, rule, members, the hosts they run on, and those on
 * which they have a seat.
 * <br>Source: nova {@code scheduler/utils.py} (setup_instance_group).
 */
@Singleton
public class ServerGroups {
    private final RegistryFeed feed;
    private final Seats seats;
    private final MovedMembers moved;

    ServerGroups(RegistryFeed feed, Seats seats, MovedMembers moved) {
        this.feed = feed;
        this.seats = seats;
        this.moved = moved;
    }

    /**
     * The registry of now. Of the group in question no seat is taken on a host that its member has left for good, or to
     * which it did not come.
     *
     * @param find answers null where there is no group
     */
    Uni<RegistrySnapshot> current(Function<RegistrySnapshot, ServerGroup> find, String requestId) {
        return feed.current().chain(registry -> {
            ServerGroup group = find.apply(registry);
            if (group == null) {
                return Uni.createFrom().item(registry);
            }
            Uni<Boolean> settled = group.seats().isEmpty()
                    ? Uni.createFrom().item(false)
                    : seats.settle(group, requestId);
            return moved.follow(group, registry)
                    .chain(() -> settled)
                    .chain(changed -> changed ? feed.current() : Uni.createFrom().item(registry));
        });
    }

    /**
     * Runs a statement by which the instances of a request join its group, when it is its turn.
     *
     * @param scheduled with the group that was found for it, if there is one
     */
    Uni<Boolean> join(RequestSpec scheduled, Uni<Boolean> statement) {
        return seats.join(
                groupOf(scheduled), scheduled.instanceUuids().stream().map(UUID::fromString).toList(), statement);
    }

    /** Returns null for none by which others would know it. */
    static @Nullable UUID groupOf(RequestSpec spec) {
        InstanceGroup group = spec.instanceGroup();
        return group == null ? null : group.findUuid();
    }

    /** Refused: the filter or weigher that would honour the group's policy is not enabled. */
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
     * The same for a request that forces hosts, as its claim will find it. Its hosts pass no filter, and seats go by what
     * Berth knows of the group: members and hosts that the request alone names do not count, nor does a group without a uuid.
     */
    public static Derived<RequestSpec> completeForced(
            RequestSpec spec, RegistrySnapshot registry, EnabledFilters filters, EnabledWeighers weighers) {
        return switch (complete(spec, registry, filters, weighers)) {
            case Derived.Value<RequestSpec>(RequestSpec found) when isBinding(found.instanceGroup()) -> complete(
                    found.toBuilder().instanceGroup(asSeated(found.instanceGroup())).build(), registry, filters, weighers);
            case Derived<RequestSpec> other -> other;
        };
    }

    /** Of a group whose members belong together a node where they are, if none of its hosts is offered; else null. */
    static @Nullable ComputeNode findHostNotOffered(
            @Nullable InstanceGroup group, List<HostState> offered, RegistrySnapshot registry) {
        if (group == null || !"affinity".equals(group.policy())
                || offered.stream().anyMatch(host -> group.hosts().contains(host.host()))) {
            return null;
        }
        return group.hosts().stream().flatMap(host -> registry.computeNodesOf(host).stream()).findFirst().orElse(null);
    }

    /** The policies of seats; the others put hosts in order. */
    private static boolean isBinding(@Nullable InstanceGroup group) {
        return group != null && ("affinity".equals(group.policy()) || "anti-affinity".equals(group.policy()));
    }

    private static InstanceGroup asSeated(InstanceGroup group) {
        return new InstanceGroup(
                group.uuid(), group.findUuid() == null ? null : group.policy(), group.maxServerPerHost(), Set.of(),
                List.of());
    }

    /**
     * By the request's own group, by the hint, or by membership. Of nova's instances the group comes with the request: one
     * that does not was deleted, and what is known of its members is left over.
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

    /** What is registered counts before what the request says; what is known of earlier requests, after it. */
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
        Map<String, Set<String>> seats = new HashMap<>();
        for (ServerGroup.Seat seat : known.seats()) {
            String instance = seat.instance().toString();
            if (!own.contains(instance)) {
                hosts.add(seat.host());
                members.add(instance);
                seats.computeIfAbsent(seat.host(), made -> new HashSet<>()).add(instance);
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
                seats);
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
     * By host, members that nova moves from or to it: they may be there in the end. Members that belong together are where
     * nova has them and nowhere else, as for its computes.
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

    /** Returns null for an instance that takes no seat, as there is no group by which others would know it. */
    static @Nullable Grouping<RankedHost> grouping(RequestSpec spec, RegistrySnapshot registry) {
        InstanceGroup group = spec.instanceGroup();
        UUID uuid = groupOf(spec);
        return uuid == null
                ? null
                : new Grouping<>(
                        uuid,
                        group.policy(),
                        group.maxServerPerHost(),
                        false,
                        ranked -> ranked.host().host(),
                        moving(group.policy(), group.members(), registry));
    }

    /** Of an instance that is in it already; no other hosts than those can be had. Null for no group. */
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
