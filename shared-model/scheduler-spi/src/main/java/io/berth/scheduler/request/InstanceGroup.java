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
 * The server group of the instance.
 *
 * @param policy affinity, anti-affinity, soft-affinity or soft-anti-affinity; others bind nothing
 * @param maxServerPerHost rule of the anti-affinity policy; null: 1
 * @param members uuids of all instances of the group
 * @param hosts names of the hosts that run members
 * @param reservations reservations by host: uuids of the members that are about to run there, or may return there
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

    /** Returns null if the group has no uuid, or none of the usual form, so that it cannot be found by it again. */
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

    /** The group once one more host runs a member. */
    public InstanceGroup withHost(String host) {
        if (hosts.contains(host)) {
            return this;
        }
        var more = new ArrayList<>(hosts);
        more.add(host);
        return new InstanceGroup(uuid, policy, maxServerPerHost, members, more, reservations);
    }

    /** Returns the group with one more reservation of a member, which all nodes of the host count. */
    public InstanceGroup withSeat(String host, String instance) {
        Map<String, Set<String>> more = new HashMap<>(reservations);
        more.merge(host, Set.of(instance), (some, one) -> {
            var all = new HashSet<>(some);
            all.addAll(one);
            return all;
        });
        return new InstanceGroup(uuid, policy, maxServerPerHost, members, hosts, more);
    }

    /** The same once these instances are members, too. */
    public InstanceGroup withMembers(List<String> instances) {
        if (members.containsAll(instances)) {
            return this;
        }
        var more = new HashSet<>(members);
        more.addAll(instances);
        return new InstanceGroup(uuid, policy, maxServerPerHost, more, hosts, reservations);
    }
}
