package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The server group of the instance.
 *
 * @param policy affinity, anti-affinity, soft-affinity or soft-anti-affinity; others bind nothing
 * @param maxServerPerHost rule of the anti-affinity policy; null: 1
 * @param members uuids of all instances of the group
 * @param hosts names of the hosts that run members
 */
public record InstanceGroup(
        @Nullable String uuid,
        @Nullable String policy,
        @Nullable Long maxServerPerHost,
        Set<String> members,
        List<String> hosts) {
    public InstanceGroup {
        members = Set.copyOf(members);
        hosts = List.copyOf(hosts);
    }

    /** How many of these instances are members. */
    public long membersAmong(Set<String> instanceUuids) {
        Set<String> fewer = members.size() < instanceUuids.size() ? members : instanceUuids;
        Set<String> more = fewer == members ? instanceUuids : members;
        return fewer.stream().filter(more::contains).count();
    }

    /** The group once one more host runs a member. */
    public InstanceGroup withHost(String host) {
        if (hosts.contains(host)) {
            return this;
        }
        var more = new ArrayList<>(hosts);
        more.add(host);
        return new InstanceGroup(uuid, policy, maxServerPerHost, members, more);
    }
}
