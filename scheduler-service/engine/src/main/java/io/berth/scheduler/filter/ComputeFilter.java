package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Rejects hosts whose compute service is disabled, is forced down, or has sent no heartbeat for longer than {@code
 * service_down_time}.
 * <br>Differs from nova: during an outage of Berth's database, no heartbeat can be stored. The length of the outage is
 * added to {@code service_down_time} until all services have had time to send a heartbeat.
 * <br>Source: nova {@code scheduler/filters/compute_filter.py}.
 */
@Singleton
public final class ComputeFilter implements InsensitiveFilter {
    private static final Verdict DISABLED =
            Verdict.reject("service_disabled", "service is disabled", "enabled", "disabled");
    private static final Verdict FORCED_DOWN =
            Verdict.reject("service_forced_down", "service is forced down", "up", "forced_down");
    private static final Verdict DOWN = Verdict.reject("service_down", "service is down", "up", "down");

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        if (host.service().disabled()) {
            String reason = host.service().disabledReason();
            return reason == null || reason.isEmpty()
                    ? DISABLED
                    : Verdict.reject("service_disabled", "service is disabled: %3$s", "enabled", "disabled", reason);
        }
        if (host.service().forcedDown()) {
            return FORCED_DOWN;
        }
        return host.service().up() ? Verdict.PASS : DOWN;
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return List.of(reason.code().equals("service_disabled") ? Remedy.OfService.ENABLE : Remedy.OfService.START);
    }
}
