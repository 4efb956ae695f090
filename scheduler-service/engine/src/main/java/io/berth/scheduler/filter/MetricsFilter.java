package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.spi.Verdict;
import io.berth.scheduler.text.NamedNumbers;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Rejects hosts that lack one of the metrics of the option {@code [metrics] weight_setting}. Without this filter,
 * MetricsWeigher fails the request if a host lacks a metric and {@code [metrics] required} is true.
 * <br>Source: nova {@code scheduler/filters/metrics_filter.py}.
 */
@Singleton
public final class MetricsFilter implements HostFilter {
    @Override
    public Sensitivity sensitivity() {
        return Sensitivity.NOTHING;
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        List<NamedNumbers.Entry> settings = options.metrics().weightSetting().entries();
        int missingCount = 0;
        String firstMissing = null;
        for (NamedNumbers.Entry setting : settings) {
            if (!host.metrics().containsKey(setting.name())) {
                firstMissing = firstMissing == null ? setting.name() : firstMissing;
                missingCount++;
            }
        }
        return firstMissing == null
                ? Verdict.PASS
                : Verdict.lacking(missingCount, "metric_missing", "needs %d metrics, host has %d of them and no %s",
                        settings.size(), settings.size() - missingCount, firstMissing);
    }
}
