package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.GroupMembers;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Constant;
import jakarta.inject.Singleton;
import java.util.function.ToDoubleFunction;

/**
 * The raw value is the negated number of members of the request's server group on the host, including members with a
 * server-group reservation on it, if the group's policy is {@code soft-anti-affinity}; otherwise 0.
 *
 * <p>Option: {@code soft_anti_affinity_weight_multiplier}, at least 0, default 1.
 * <br>Differs from nova: if Berth replaces nova-scheduler, an instance that nova moves counts on source and destination
 * until the move has ended.
 * <br>Source: nova {@code scheduler/weights/affinity.py}.
 */
@Singleton
public final class ServerGroupSoftAntiAffinityWeigher extends OptionWeigher {
    public ServerGroupSoftAntiAffinityWeigher() {
        super("soft_anti_affinity_weight_multiplier", Options.Weights::softAntiAffinity);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).applyAsDouble(host);
    }

    @Override
    public ToDoubleFunction<HostState> prepare(RequestSpec spec, Options options) {
        InstanceGroup group = spec.instanceGroup();
        if (group == null || !"soft-anti-affinity".equals(group.policy())) {
            return Constant.ZERO;
        }
        GroupMembers members = new GroupMembers(group);
        return host -> -members.on(host);
    }
}
