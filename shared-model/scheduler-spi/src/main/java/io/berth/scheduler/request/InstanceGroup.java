package io.berth.scheduler.request;

import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The server group of a requested instance.
 *
 * @param uuid null if unknown
 * @param policy affinity, anti-affinity, soft-affinity or soft-anti-affinity; null or any other policy has no effect
 * @param maxServerPerHost maximum number of members on one host under the anti-affinity policy; null counts as 1
 * @param members uuids of all instances of the group
 * @param hosts names of the hosts that run members or on which members have a reservation
 * @param reservations server-group reservations: by host, the uuids of members that count on the host even if they do
 *         not run on it. Such a member is being placed on the host, is being moved from or to it, or may return to it
 *         if a move is reverted
 */
public record InstanceGroup(
        @Nullable String uuid,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        Set<String> members,
        List<String> hosts,
        Map<String, Set<String>> reservations) {
    public InstanceGroup {
        members = Set.copyOf(members);
        hosts = List.copyOf(hosts);
        reservations = Map.copyOf(reservations);
    }

    /** Returns the uuid; null if the group has none, or its uuid is not in the usual form of 36 characters. */
    public @Nullable UUID findUuid() {
        return uuid == null ? null : Uuids.find(uuid);
    }

    /** Creates a group without reservations. */
    public InstanceGroup(
            @Nullable String uuid,
            @Nullable String policy,
            @Nullable Long maxServerPerHost,
            Set<String> members,
            List<String> hosts) {
        this(uuid, policy, maxServerPerHost, members, hosts, Map.of());
    }

    /** Returns the group with this host in the list of hosts. */
    public InstanceGroup withHost(String host) {
        if (hosts.contains(host)) {
            return this;
        }
        var newHosts = new ArrayList<>(hosts);
        newHosts.add(host);
        return new InstanceGroup(uuid, policy, maxServerPerHost, members, newHosts, reservations);
    }

    /** Returns the group with one more reservation. A reservation counts on all nodes of the host. */
    public InstanceGroup withSeat(String host, String instance) {
        Map<String, Set<String>> newReservations = new HashMap<>(reservations);
        newReservations.merge(host, Set.of(instance), (existing, added) -> {
            var union = new HashSet<>(existing);
            union.addAll(added);
            return union;
        });
        return new InstanceGroup(uuid, policy, maxServerPerHost, members, hosts, newReservations);
    }

    /** Returns the group in which these instances are members, too. */
    public InstanceGroup withMembers(List<String> instances) {
        if (members.containsAll(instances)) {
            return this;
        }
        var newMembers = new HashSet<>(members);
        newMembers.addAll(instances);
        return new InstanceGroup(uuid, policy, maxServerPerHost, newMembers, hosts, reservations);
    }
}
