package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.Retry;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Rejects nodes that failed to build the instance before.
 * <br>Differs from nova: nova removed the filter in 2020, when alternates replaced it.
 * <br>Source: nova {@code scheduler/filters/retry_filter.py} of the last release that had it.
 */
@Singleton
public final class RetryFilter implements PreparedFilter {
    @Override
    public Sensitivity sensitivity() {
        return Sensitivity.NOTHING;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        Retry retry = spec.retry();
        return retry == null ? HostCheck.PASS : host -> compare(host, retry);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.of("retry"));
    }

    private static Verdict compare(HostState host, Retry retry) {
        for (Retry.FailedNode failedNode : retry.hosts()) {
            if (failedNode.host().equals(host.host()) && host.nodename().equals(failedNode.nodename())) {
                return Verdict.reject("tried", "instance failed to build here before, attempt %3$d",
                        "!" + host.nodename(), host.nodename(), retry.numAttempts());
            }
        }
        return Verdict.PASS;
    }
}
