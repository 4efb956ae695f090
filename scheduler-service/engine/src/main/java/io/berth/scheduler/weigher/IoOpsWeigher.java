package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * The raw value is the number of I/O-intensive operations in progress on the host, such as builds and resizes. A
 * negative multiplier, such as the default, prefers hosts with few operations.
 *
 * <p>Option: {@code io_ops_weight_multiplier}, default -1.
 * <br>Differs from nova: if Berth replaces nova-scheduler, a build that Berth has placed counts at once, before the
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
