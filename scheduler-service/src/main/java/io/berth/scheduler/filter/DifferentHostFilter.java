package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;

/**
 * Keeps the instance off the hosts of the instances that the hint {@code different_host} names.
 * <br>Source: nova {@code scheduler/filters/affinity_filter.py}.
 */
@Singleton
public final class DifferentHostFilter implements PreparedFilter, HeedsHost {
    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return spec.schedulerHints().isEmpty("different_host") ? HostCheck.PASS : host -> compare(host, spec);
    }

    private static Verdict compare(HostState host, RequestSpec spec) {
        for (String uuid : spec.schedulerHints().list("different_host")) {
            if (host.instances().containsKey(uuid)) {
                return Verdict.reject("instance_here", "runs instance %2$s, which the hint different_host names",
                        "!" + uuid, uuid);
            }
        }
        return Verdict.PASS;
    }
}
