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
 * The raw value is the number of members of the request's server group on the host, including members with a
 * server-group reservation on it, if the group's policy is {@code soft-affinity}; otherwise 0.
 *
 * <p>Option: {@code soft_affinity_weight_multiplier}, at least 0, default 1.
 * <br>Source: nova {@code scheduler/weights/affinity.py}.
 */
@Singleton
public final class ServerGroupSoftAffinityWeigher extends OptionWeigher {
    public ServerGroupSoftAffinityWeigher() {
        super("soft_affinity_weight_multiplier", Options.Weights::softAffinity);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).applyAsDouble(host);
    }

    @Override
    public ToDoubleFunction<HostState> prepare(RequestSpec spec, Options options) {
        InstanceGroup group = spec.instanceGroup();
        if (group == null || !"soft-affinity".equals(group.policy())) {
            return Constant.ZERO;
        }
        GroupMembers members = new GroupMembers(group);
        return members::on;
    }
}
