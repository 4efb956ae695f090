package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.inject.Singleton;

/**
 * Lets every host pass.
 * <br>Source: nova {@code scheduler/filters/all_hosts_filter.py}.
 */
@Singleton
public final class AllHostsFilter implements HostFilter {
    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        return prepare(spec, options).check(host);
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return HostCheck.PASS;
    }
}
