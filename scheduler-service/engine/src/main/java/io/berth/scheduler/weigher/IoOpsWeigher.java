package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * Builds, resizes and similar operations in progress on the host; the default multiplier prefers quiet hosts.
 *
 * <p>Option: {@code io_ops_weight_multiplier}, default -1.
 * <br>Differs from nova: where Berth replaces nova-scheduler, a build that Berth placed counts at once, before its
 * compute node reports it ({@code berth.nova.own-builds-counted}).
 * <br>Source: nova {@code scheduler/weights/io_ops.py}.
 */
@Singleton
public final class IoOpsWeigher extends OptionWeigher {
    public IoOpsWeigher() {
        super("io_ops_weight_multiplier", Options.Weights::ioOps);
    }

    @Override
    public double minimum() {
        return 0;
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        return host.numIoOps();
    }
}
