package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Gives each host that passed the filters a raw number, which the ranking turns into a weight.
 *
 * <p>A weigher is called on a thread that must not block, for each host that passed the filters, if there are at least
 * two. An implementation keeps no state, does no I/O and does not throw. A weigher that cannot weigh every host
 * implements {@link ExactingWeigher}.
 * <br>Source: nova {@code weights.py}, {@code scheduler/weights/}.
 */
public interface HostWeigher {
    /** Returns the name of the class, as in {@code weight_classes}, without the path. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Returns the lower bound of raw values for normalizing; lower values are raised to it. Negative infinity stands
     * for the smallest value among the hosts.
     */
    default double minimum() {
        return Double.NEGATIVE_INFINITY;
    }

    /** Returns the metadata key by which aggregates override the multiplier. */
    String aggregateKey();

    /** Returns the multiplier of hosts whose aggregates do not override it. */
    double configuredMultiplier(Options options);

    /** Returns the multiplier for all hosts in these aggregates. */
    default double multiplier(List<HostAggregate> aggregates, Options options) {
        return AggregateMetadata.decimal(aggregates, aggregateKey(), configuredMultiplier(options));
    }

    /** Returns the value before normalizing; each weigher documents unit and direction. */
    double raw(HostState host, RequestSpec spec, Options options);

    /**
     * Returns a function with the same values for the hosts of one round. Override it if something can be derived from
     * the request alone, above all that all hosts have the same value: a {@link Constant} is not called for any host.
     */
    default ToDoubleFunction<HostState> prepare(RequestSpec spec, Options options) {
        return host -> raw(host, spec, options);
    }
}
