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
 * Rejects the hosts of the instances that the hint {@code different_host} names.
 * <br>Source: nova {@code scheduler/filters/affinity_filter.py}.
 */
@Singleton
public final class DifferentHostFilter implements PreparedFilter, HostSensitiveFilter {
    @Override
    public boolean runsOncePerRequest() {
        return true;
    }

    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        if (spec.schedulerHints().isEmpty("different_host")) {
            return HostCheck.PASS;
        }
        var hinted = new HintedInstances(spec, "different_host");
        return host -> compare(host, hinted);
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return Remedy.omitOneOf(RequestMember.hint("different_host"));
    }

    private static Verdict compare(HostState host, HintedInstances hinted) {
        String uuid = hinted.findOn(host);
        return uuid == null
                ? Verdict.PASS
                : Verdict.reject("instance_here", "runs instance %2$s, which the hint different_host names",
                        "!" + uuid, uuid);
    }
}
