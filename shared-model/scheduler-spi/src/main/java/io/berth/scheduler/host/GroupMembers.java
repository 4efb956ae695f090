package io.berth.scheduler.host;

import io.berth.scheduler.request.InstanceGroup;
import java.util.Map;
import java.util.Set;

/**
 * Counts the members of a server group on hosts. One object serves all hosts of a round, because its creation builds an
 * index of the members.
 */
public final class GroupMembers {
    private final InstanceGroup group;
    private final UuidSet uuids;

    public GroupMembers(InstanceGroup group) {
        this.group = group;
        this.uuids = new UuidSet(group.members());
    }

    /** Returns the number of members that are on the host or have a server-group reservation on it. */
    public long on(HostState host) {
        Map<String, RunningInstance> instances = host.instances();
        long running = instances instanceof UuidKeyed keyed ? keyed.countOf(uuids) : count(instances.keySet());
        Set<String> reserved = group.reservations().get(host.host());
        return reserved == null
                ? running
                : running + reserved.stream().filter(instance -> !instances.containsKey(instance)).count();
    }

    private long count(Set<String> running) {
        Set<String> smaller = group.members().size() < running.size() ? group.members() : running;
        Set<String> larger = smaller == running ? group.members() : running;
        return smaller.stream().filter(larger::contains).count();
    }
}
