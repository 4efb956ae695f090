package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.GroupMembers;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Constant;
import io.berth.scheduler.spi.HostWeigher;
import jakarta.inject.Singleton;
import java.util.function.ToDoubleFunction;

/**
 * Instances of the server group on the host, where its policy is {@code soft-affinity}.
 *
 * <p>Option: {@code soft_affinity_weight_multiplier}, at least 0, default 1.
 * <br>Source: nova {@code scheduler/weights/affinity.py}.
 */
@Singleton
public final class ServerGroupSoftAffinityWeigher implements HostWeigher {
    @Override
    public String aggregateKey() {
        return "soft_affinity_weight_multiplier";
    }

    @Override
    public double configuredMultiplier(Options options) {
        return options.filterScheduler().weights().softAffinity();
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
