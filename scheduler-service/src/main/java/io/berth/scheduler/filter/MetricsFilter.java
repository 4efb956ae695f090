package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.text.NamedNumbers;
import jakarta.inject.Singleton;

/**
 * Rejects hosts that lack a metric named in {@code [metrics] weight_setting}, which MetricsWeigher would need.
 * <br>Source: nova {@code scheduler/filters/metrics_filter.py}.
 */
@Singleton
public final class MetricsFilter implements HostFilter, Repeatable {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        for (NamedNumbers.Entry setting : options.metrics().weightSetting().entries()) {
            if (!host.metrics().containsKey(setting.name())) {
                return Verdict.reject("metric_missing", "host has no metric %s", setting.name());
            }
        }
        return Verdict.PASS;
    }
}
