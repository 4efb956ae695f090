package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.Retry;
import jakarta.inject.Singleton;

/**
 * Rejects nodes that failed to build the instance before.
 * <br>Differs from nova: it took the filter out in 2020: alternates took its place.
 * <br>Source: nova {@code scheduler/filters/retry_filter.py} of the last release that had it.
 */
@Singleton
public final class RetryFilter implements PreparedFilter {
    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return spec.retry() == null ? HostCheck.PASS : host -> compare(host, spec);
    }

    private static Verdict compare(HostState host, RequestSpec spec) {
        for (Retry.Tried tried : spec.retry().hosts()) {
            if (tried.host().equals(host.host()) && host.nodename().equals(tried.nodename())) {
                return Verdict.reject("tried", "tried before, attempt %d", spec.retry().numAttempts());
            }
        }
        return Verdict.PASS;
    }
}
