package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import jakarta.inject.Singleton;

/**
 * Accepts every host.
 * <br>Source: nova {@code scheduler/filters/all_hosts_filter.py}.
 */
@Singleton
public final class AllHostsFilter implements PreparedFilter, InsensitiveFilter {
    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return HostCheck.PASS;
    }
}
