package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Computes a raw value for each host that has passed the filters. The ranking normalizes the raw values and multiplies
 * each by the weigher's multiplier. The sum of the products of all weighers is the weight of the host.
 *
 * <p>Weighers run only if at least two hosts have passed the filters, on threads that must not be blocked. An
 * implementation keeps no state, does no I/O and does not throw. A weigher that cannot weigh every host implements
 * {@link ExactingWeigher}.
 * <br>Source: nova {@code weights.py}, {@code scheduler/weights/}.
 */
public interface HostWeigher {
    /** Returns the name for {@code weight_classes}: the simple name of the class. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Returns the lower bound of the range from which raw values are normalized; lower values are raised to the bound.
     * Negative infinity means the smallest raw value of the hosts.
     */
    default double minimum() {
        return Double.NEGATIVE_INFINITY;
    }

    /** Returns the key of the aggregate metadata that overrides the multiplier. */
    String aggregateKey();

    /** Returns the configured multiplier, for hosts whose aggregates do not override it. */
    double configuredMultiplier(Options options);

    /**
     * Returns the multiplier of hosts in these aggregates: the smallest value of {@link #aggregateKey} in their
     * metadata, or else the configured multiplier.
     */
    default double multiplier(List<HostAggregate> aggregates, Options options) {
        return AggregateMetadata.decimal(aggregates, aggregateKey(), configuredMultiplier(options));
    }

    /** Returns the raw value of a host. Each weigher documents unit and direction. */
    double raw(HostState host, RequestSpec spec, Options options);

    /**
     * Returns a function with the same values as {@link #raw} for the hosts of one round. Override this method if a
     * part of the computation depends on the request alone. If all hosts have the same value, return a {@link
     * Constant}, which is not called for each host.
     */
    default ToDoubleFunction<HostState> prepare(RequestSpec spec, Options options) {
        return host -> raw(host, spec, options);
    }
}
