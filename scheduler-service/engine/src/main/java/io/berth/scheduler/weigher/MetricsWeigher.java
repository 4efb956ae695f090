package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Constant;
import io.berth.scheduler.spi.ExactingWeigher;
import io.berth.scheduler.text.NamedNumbers;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.function.ToDoubleFunction;

/**
 * Weighs hosts by the metrics that they report. The raw value is the sum of the metrics that {@code [metrics]
 * weight_setting} lists, each multiplied by its number in this option.
 *
 * <p>Options: {@code [metrics] weight_multiplier} (default 1), {@code required} (if true, a host that lacks one of the
 * metrics fails the request), {@code weight_of_unavailable} (default -10000; if {@code required} is false, the raw
 * value of a host that lacks a metric). As in nova, a missing metric is ignored in the raw value if its number in
 * {@code weight_setting} or the weigher's multiplier is 0.
 * <br>Source: nova {@code scheduler/weights/metrics.py}.
 */
@Singleton
public final class MetricsWeigher implements ExactingWeigher {
    @Override
    public String aggregateKey() {
        return "metrics_weight_multiplier";
    }

    @Override
    public double configuredMultiplier(Options options) {
        return options.metrics().weightMultiplier();
    }

    @Override
    public @Nullable String obstacle(HostState host, RequestSpec spec, Options options) {
        if (options.metrics().required()) {
            for (NamedNumbers.Entry setting : options.metrics().weightSetting().entries()) {
                if (!host.metrics().containsKey(setting.name())) {
                    return "host has no metric %s, which [metrics] required and weight_setting demand"
                            .formatted(setting.name());
                }
            }
        }
        return null;
    }

    @Override
    public ToDoubleFunction<HostState> prepare(RequestSpec spec, Options options) {
        return options.metrics().weightSetting().entries().isEmpty()
                ? Constant.ZERO
                : host -> raw(host, spec, options);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        double sum = 0;
        for (NamedNumbers.Entry setting : options.metrics().weightSetting().entries()) {
            Double value = host.metrics().get(setting.name());
            if (value != null) {
                sum += value * setting.number();
            } else if (setting.number() * multiplier(host.aggregates(), options) != 0) {
                return options.metrics().weightOfUnavailable();
            }
        }
        return sum;
    }
}
