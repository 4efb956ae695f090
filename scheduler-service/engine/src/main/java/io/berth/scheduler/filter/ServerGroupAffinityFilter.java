package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Accepts, for instances of a server group with the policy {@code affinity}, only the hosts of the group's members. If
 * no member has a host yet, accepts every host.
 * <br>Differs from nova: each instance takes a server-group reservation before its claim, so concurrent requests cannot
 * violate the policy (docs/groups.md). In nova, the compute node detects a violation after the claim.
 * <br>Source: nova {@code scheduler/filters/affinity_filter.py}.
 */
@Singleton
public final class ServerGroupAffinityFilter implements PreparedFilter {
    @Override
    public boolean holdsAtClaim() {
        return true;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        InstanceGroup group = spec.instanceGroup();
        return group == null || !"affinity".equals(group.policy()) || group.hosts().isEmpty()
                ? HostCheck.PASS
                : host -> compare(host, group);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.of("instance_group"), RequestMember.hint("group"));
    }

    private static Verdict compare(HostState host, InstanceGroup group) {
        return group.hosts().contains(host.host())
                ? Verdict.PASS
                : Verdict.reject("group_elsewhere", "server group is on %s", group.hosts(), host.host());
    }
}
