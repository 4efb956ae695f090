package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.RequestMember;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Accepts only the hosts of the instances that the hint {@code same_host} names.
 * <br>Source: nova {@code scheduler/filters/affinity_filter.py}.
 */
@Singleton
public final class SameHostFilter implements PreparedFilter, HostSensitiveFilter {
    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        if (spec.schedulerHints().isEmpty("same_host")) {
            return HostCheck.PASS;
        }
        List<String> uuids = spec.schedulerHints().list("same_host");
        var hinted = new HintedInstances(spec, "same_host");
        Verdict unmet = Verdict.reject(
                "instances_not_here", "runs none of %3$d instances that the hint same_host names",
                uuids, List.of(), uuids.size());
        return host -> hinted.findOn(host) == null ? unmet : Verdict.PASS;
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.hint("same_host"));
    }
}
