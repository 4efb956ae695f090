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
import io.berth.scheduler.text.DerivedValue;
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
 * hosts on which members have a reservation.
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
     * Returns the current registry. First updates the request's group: the registrations of members that nova moved
     * ({@link MovedMembers}), and the reservations on hosts that a moving member has left for good ({@link
     * GroupReservations#releaseConfirmedSources}). Reads the registry again only after a release, because it already
     * has the hosts that nova reports for moved members.
     *
     * @param find returns the group of the request in a registry; null without a group
     */
    Uni<RegistrySnapshot> currentRegistry(Function<RegistrySnapshot, ServerGroup> find, String requestId) {
        return feed.current().chain(registry -> {
            ServerGroup group = find.apply(registry);
            if (group == null) {
                return Uni.createFrom().item(registry);
            }
            Uni<Boolean> settled = group.reservations().isEmpty()
                    ? Uni.createFrom().item(false)
                    : reservations.releaseConfirmedSources(group, requestId);
            return moved.updateRegistrations(group, registry)
                    .chain(() -> settled)
                    .chain(changed -> changed ? feed.current() : Uni.createFrom().item(registry));
        });
    }

    /**
     * Runs a statement that makes the instances of a request members of its group; see {@link GroupReservations#join}.
     *
     * @param scheduled the request, with the group that was found for it
     */
    Uni<Boolean> join(RequestSpec scheduled, Uni<Boolean> statement) {
        return reservations.join(
                findGroupUuid(scheduled), scheduled.instanceUuids().stream().map(UUID::fromString).toList(), statement);
    }

    /**
     * Returns the uuid of the request's group; null without a group, or for a group without a uuid, which no other
     * request can name.
     */
    static @Nullable UUID findGroupUuid(RequestSpec spec) {
        InstanceGroup group = spec.instanceGroup();
        return group == null ? null : group.findUuid();
    }

    /**
     * Adds the group to a request; a request without a group stays unchanged. Refuses the request if the filter or
     * weigher that enforces the policy of the group is not enabled.
     */
    public static DerivedValue<RequestSpec> complete(
            RequestSpec spec, RegistrySnapshot registry, EnabledFilters filters, EnabledWeighers weighers) {
        ServerGroup knownGroup = find(spec, registry);
        InstanceGroup requestGroup = spec.instanceGroup();
        InstanceGroup mergedGroup = knownGroup == null ? requestGroup : merge(requestGroup, knownGroup, spec, registry);
        if (mergedGroup == null) {
            return new DerivedValue.Value<>(spec);
        }
        InstanceGroup group = withMoving(mergedGroup.withMembers(spec.instanceUuids()), spec, registry);
        String missing = missingClass(group.policy(), filters, weighers);
        return missing == null
                ? new DerivedValue.Value<>(spec.toBuilder().instanceGroup(group).build())
                : new DerivedValue.Refused<>("server group policy " + group.policy() + " needs " + missing
                        + ", which is not enabled");
    }

    /**
     * Like {@link #complete}, for a request that forces hosts. Filters are not applied to forced hosts, so only
     * reservations enforce the policy of the group. Reservations depend only on the registered group: members and hosts
     * that only the request names are ignored, and so is the policy of a group without a uuid.
     */
    public static DerivedValue<RequestSpec> completeForced(
            RequestSpec spec, RegistrySnapshot registry, EnabledFilters filters, EnabledWeighers weighers) {
        DerivedValue<RequestSpec> completed = complete(spec, registry, filters, weighers);
        if (completed instanceof DerivedValue.Value<RequestSpec>(RequestSpec found)) {
            InstanceGroup group = found.instanceGroup();
            if (group != null && isBinding(group)) {
                return complete(
                        found.toBuilder().instanceGroup(withoutRequestMembers(group)).build(), registry, filters,
                        weighers);
            }
        }
        return completed;
    }

    /**
     * Returns a registered node on a host of an affinity group if placement offers none of the group's hosts; null if
     * it offers one, if no node is registered, or for any other group.
     */
    static @Nullable ComputeNode findHostNotOffered(
            @Nullable InstanceGroup group, List<HostState> offered, RegistrySnapshot registry) {
        if (group == null || !"affinity".equals(group.policy())
                || offered.stream().anyMatch(host -> group.hosts().contains(host.host()))) {
            return null;
        }
        return group.hosts().stream().flatMap(host -> registry.computeNodesOf(host).stream()).findFirst().orElse(null);
    }

    /** Returns whether reservations enforce the policy. The soft policies only rank hosts. */
    private static boolean isBinding(InstanceGroup group) {
        return "affinity".equals(group.policy()) || "anti-affinity".equals(group.policy());
    }

    private static InstanceGroup withoutRequestMembers(InstanceGroup group) {
        return new InstanceGroup(
                group.uuid(), group.findUuid() == null ? null : group.policy(), group.maxServerPerHost(), Set.of(),
                List.of());
    }

    /**
     * Returns the group of a request: the group that the request contains, or that its hint names, or of which an
     * instance is a member; null without a group. If nova owns the hosts, every request contains its group: a group
     * that is neither registered nor contained in the request was then deleted in nova, and is ignored.
     */
    public static @Nullable ServerGroup find(RequestSpec spec, RegistrySnapshot registry) {
        ServerGroup knownGroup = findKnown(spec, registry);
        boolean isLeftOver =
                knownGroup != null && !knownGroup.isRegistered() && spec.instanceGroup() == null
                        && registry.listsAllHosts();
        return isLeftOver ? null : knownGroup;
    }

    private static @Nullable ServerGroup findKnown(RequestSpec spec, RegistrySnapshot registry) {
        String groupUuidText = spec.instanceGroup() != null
                ? spec.instanceGroup().uuid()
                : spec.schedulerHints().single("group");
        UUID uuid = groupUuidText == null ? null : Uuids.find(groupUuidText);
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
     * Merges the group of a request with the known group. The policy and rule of a registered group take precedence
     * over those in the request, whose members are then ignored. If the group is only known from earlier requests,
     * policy and rule in the request take precedence, if it contains the group.
     */
    private static InstanceGroup merge(
            @Nullable InstanceGroup requestGroup, ServerGroup knownGroup, RequestSpec spec, RegistrySnapshot registry) {
        Set<String> hosts = new LinkedHashSet<>();
        Set<String> members = new HashSet<>(knownGroup.members());
        if (requestGroup != null) {
            hosts.addAll(requestGroup.hosts());
        }
        for (String member : knownGroup.members()) {
            UUID uuid = Uuids.find(member);
            RegisteredInstance instance = uuid == null ? null : registry.findInstance(uuid);
            if (instance != null) {
                hosts.add(instance.host());
            }
        }
        Set<String> own = Set.copyOf(spec.instanceUuids());
        Map<String, Set<String>> reservations = new HashMap<>();
        for (ServerGroup.Reservation reservation : knownGroup.reservations()) {
            String instance = reservation.instance().toString();
            if (!own.contains(instance)) {
                hosts.add(reservation.host());
                members.add(instance);
                reservations.computeIfAbsent(reservation.host(), _ -> new HashSet<>()).add(instance);
            }
        }
        InstanceGroup rulingGroup = knownGroup.isRegistered() ? null : requestGroup;
        if (rulingGroup != null) {
            members.addAll(rulingGroup.members());
        }
        return new InstanceGroup(
                knownGroup.uuid().toString(),
                rulingGroup == null ? knownGroup.policy() : rulingGroup.policy(),
                rulingGroup == null ? maxServerPerHost(knownGroup) : rulingGroup.maxServerPerHost(),
                members,
                hosts.stream().toList(),
                reservations);
    }

    /**
     * Adds the members that nova currently moves, except the request's own instances, on both hosts of their move; see
     * {@link #membersOnTheMove}.
     */
    private static InstanceGroup withMoving(InstanceGroup group, RequestSpec spec, RegistrySnapshot registry) {
        InstanceGroup all = group;
        for (var onHost : membersOnTheMove(group.policy(), group.members(), registry).entrySet()) {
            for (UUID member : onHost.getValue()) {
                if (!spec.instanceUuids().contains(member.toString())) {
                    all = all.withHost(onHost.getKey()).withSeat(onHost.getKey(), member.toString());
                }
            }
        }
        return all;
    }

    /**
     * Returns host name to the members that nova currently moves from or to this host, because a member may end on
     * either host. Empty unless the policy is anti-affinity or soft-anti-affinity: nova-compute, which checks affinity,
     * too, counts the members of an affinity group only on their present host.
     */
    private static Map<String, Set<UUID>> membersOnTheMove(
            @Nullable String policy, Set<String> members, RegistrySnapshot registry) {
        boolean areApart = "anti-affinity".equals(policy) || "soft-anti-affinity".equals(policy);
        if (!areApart || registry.moves().isEmpty()) {
            return Map.of();
        }
        Map<String, Set<UUID>> moving = new HashMap<>();
        members.stream().map(Uuids::find).filter(Objects::nonNull).forEach(member -> {
            // A move of a deleted instance may stay in nova's database for ever.
            if (registry.findInstance(member) != null) {
                registry.moves().getOrDefault(member, Set.of()).forEach(
                        host -> moving.computeIfAbsent(host, _ -> new HashSet<>()).add(member));
            }
        });
        return moving;
    }

    private static @Nullable Long maxServerPerHost(ServerGroup group) {
        return group.maxServerPerHost() == null ? null : group.maxServerPerHost().longValue();
    }

    /**
     * Returns the grouping for the claims of an instance that is placed: its group, and the host of each candidate.
     * Null if the instance needs no reservation, because it is in no group that other requests can name.
     */
    static @Nullable <H> Grouping<H> grouping(
            RequestSpec spec, RegistrySnapshot registry, Function<H, HostState> host) {
        InstanceGroup group = spec.instanceGroup();
        UUID uuid = findGroupUuid(spec);
        return group == null || uuid == null
                ? null
                : new Grouping<>(
                        uuid,
                        group.policy(),
                        group.maxServerPerHost(),
                        false,
                        each -> host.apply(each).host(),
                        membersOnTheMove(group.policy(), group.members(), registry));
    }

    /**
     * Returns the grouping for the claims of an instance that is a member of its group already; null without a group.
     *
     * @param host returns the name of a candidate's host
     */
    static @Nullable <H> Grouping<H> grouping(
            @Nullable ServerGroup group, RegistrySnapshot registry, Function<H, String> host) {
        return group == null
                ? null
                : new Grouping<>(
                        group.uuid(), group.policy(), maxServerPerHost(group), true, host,
                        membersOnTheMove(group.policy(), group.members(), registry));
    }

    /** Returns the class that enforces a policy, if it is not enabled; otherwise null. */
    private static @Nullable String missingClass(
            @Nullable String policy, EnabledFilters filters, EnabledWeighers weighers) {
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
