package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.GroupMembers;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Rejects, for instances of a server group with the policy {@code anti-affinity}, hosts with {@code
 * max_server_per_host} (default 1) or more members of the group; a member with a server-group reservation on the host
 * counts. The present host of the instance always passes.
 * <br>Differs from nova: each instance takes a server-group reservation before its claim, so concurrent requests cannot
 * violate the policy (docs/groups.md). In nova, the compute node detects a violation after the claim. If Berth replaces
 * nova-scheduler, an instance that nova moves counts on source and destination until the move has ended.
 * <br>Source: nova {@code scheduler/filters/affinity_filter.py}.
 */
@Singleton
public final class ServerGroupAntiAffinityFilter implements PreparedFilter, HostSensitiveFilter {
    @Override
    public boolean holdsAtClaim() {
        return true;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        InstanceGroup group = spec.instanceGroup();
        if (group == null || !"anti-affinity".equals(group.policy())) {
            return HostCheck.PASS;
        }
        GroupMembers members = new GroupMembers(group);
        long limit = group.maxServerPerHost() == null ? 1 : group.maxServerPerHost();
        return host -> compare(host, spec.instanceUuid(), members, limit);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.of("instance_group"), RequestMember.hint("group"));
    }

    private static Verdict compare(HostState host, @Nullable String instance, GroupMembers members, long limit) {
        long running = members.on(host);
        return running < limit || (instance != null && host.instances().containsKey(instance))
                ? Verdict.PASS
                : Verdict.lacking(
                        running - limit + 1,
                        "group_here", "runs %2$d instances of the server group, limit %1$d", limit, running);
    }
}
