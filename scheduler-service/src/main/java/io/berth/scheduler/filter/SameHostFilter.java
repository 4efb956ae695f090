package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Wants the instance on a host of one of the instances that the hint {@code same_host} names.
 * <br>Source: nova {@code scheduler/filters/affinity_filter.py}.
 */
@Singleton
public final class SameHostFilter implements PreparedFilter, HeedsHost {
    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return spec.schedulerHints().isEmpty("same_host") ? HostCheck.PASS : host -> compare(host, spec);
    }

    private static Verdict compare(HostState host, RequestSpec spec) {
        List<String> uuids = spec.schedulerHints().list("same_host");
        return uuids.stream().anyMatch(host.instances()::containsKey)
                ? Verdict.PASS
                : Verdict.reject(
                        "instances_not_here", "runs none of %3$d instances that the hint same_host names",
                        uuids, List.of(), uuids.size());
    }
}
