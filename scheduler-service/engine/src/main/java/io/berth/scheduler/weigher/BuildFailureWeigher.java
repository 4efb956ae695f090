package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * The raw value is the number of consecutive failed builds on the host. The weigher negates the multiplier, so that a
 * positive one prefers hosts with fewer failures. The default is so high that one failure usually outweighs all other
 * weighers with their default multipliers, except CrossCellWeigher.
 *
 * <p>Option: {@code build_failure_weight_multiplier}, default 1000000.
 * <br>Differs from nova: a reschedule may report that the host refused the build because of a server group's policy;
 * such a build does not count as failed. If Berth replaces nova-scheduler, the compute node reports the number; older
 * nova releases count such builds, too.
 * <br>Source: nova {@code scheduler/weights/compute.py}.
 */
@Singleton
public final class BuildFailureWeigher extends OptionWeigher {
    public BuildFailureWeigher() {
        super("build_failure_weight_multiplier", Options.Weights::buildFailure);
    }

    @Override
    public double multiplier(List<HostAggregate> aggregates, Options options) {
        return -super.multiplier(aggregates, options);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.failedBuilds();
    }
}
