package io.berth.scheduler.spi;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * Gives every surviving host a raw number; the ranking turns it into a weight.
 *
 * <p>Runs on threads that must not block, for every surviving host of a round that has at least two. An implementation
 * keeps no state, does no I/O and does not throw. One that cannot weigh every host is an {@link ExactingWeigher}.
 * <br>Source: nova {@code weights.py}, {@code scheduler/weights/}.
 */
public interface HostWeigher {
    /** Returns the name of the class, as in {@code weight_classes}, without the path. */
    default String name() {
        return getClass().getSimpleName();
    }

    /**
     * Returns the bound to which lower raw values are raised and from which they are normalized; negative infinity: the
     * smallest raw value.
     */
    default double minimum() {
        return Double.NEGATIVE_INFINITY;
    }

    /** Returns the metadata key under which aggregates override the multiplier. */
    String aggregateKey();

    /** Returns the multiplier if no aggregate of the host states one. */
    double configuredMultiplier(Options options);

    /** Returns the multiplier of all hosts that are in these aggregates. */
    default double multiplier(List<HostAggregate> aggregates, Options options) {
        return AggregateMetadata.decimal(aggregates, aggregateKey(), configuredMultiplier(options));
    }

    /** Returns the value before normalizing; each weigher documents unit and direction. */
    double raw(HostState host, RequestSpec spec, Options options);

    /**
     * Returns a function with the same values for the hosts of one round. Override it if something follows from the
     * request alone, above all that all hosts are alike: a {@link Constant} is not evaluated per host.
     */
    default ToDoubleFunction<HostState> prepare(RequestSpec spec, Options options) {
        return host -> raw(host, spec, options);
    }
}
