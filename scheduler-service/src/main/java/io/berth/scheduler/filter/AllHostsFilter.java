package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * Lets every host pass.
 * <br>Source: nova {@code scheduler/filters/all_hosts_filter.py}.
 */
@Singleton
public final class AllHostsFilter implements HostFilter, Repeatable {
    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        return Verdict.PASS;
    }
}
