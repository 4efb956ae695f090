package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;

/**
 * Rejects hosts with {@code max_io_ops_per_host} or more I/O-intensive operations in progress, such as builds and
 * resizes.
 *
 * <p>Option: {@code [filter_scheduler] max_io_ops_per_host}, a count, at least 0, default 8.
 * <br>Differs from nova: if Berth replaces nova-scheduler, a build that Berth has placed counts at once, before the
 * compute node reports it ({@code berth.nova.own-builds-counted}).
 * <br>Source: nova {@code scheduler/filters/io_ops_filter.py}.
 */
@Singleton
public final class IoOpsFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        return check(host, options.filterScheduler().maxIoOpsPerHost());
    }

    static Verdict check(HostState host, long limit) {
        return host.numIoOps() < limit
                ? Verdict.PASS
                : Verdict.lacking(
                        host.numIoOps() - limit + 1,
                        "io_ops", "%2$d I/O operations under way, limit %1$d", limit, host.numIoOps());
    }
}
