package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;

/**
 * Gives every surviving host a raw number; {@link Ranking} turns it into a weight.
 *
 * <p>Called on an event loop for every surviving host of a round that has at least two. An implementation keeps no
 * state, does no I/O and does not throw. One that bears the mark {@link io.berth.scheduler.request.Repeatable} is asked
 * once per state of a host and kind of request.
 * <br>Source: nova {@code weights.py}, {@code scheduler/weights/}.
 */
public interface HostWeigher {
    /** As in {@code weight_classes}, without the path: the name of the class. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** The bound that raw values are lifted to and normalised from; negative infinity: the smallest one there is. */
    default double minimum() {
        return Double.NEGATIVE_INFINITY;
    }

    /** The metadata key under which aggregates override the multiplier. */
    String aggregateKey();

    /** The multiplier where no aggregate of the host states one. */
    double configuredMultiplier(Options options);

    /** The multiplier that counts for a host. */
    default double multiplier(HostState host, Options options) {
        return AggregateMetadata.decimal(host, aggregateKey(), configuredMultiplier(options));
    }

    /** Why the host cannot be weighed, which fails the whole request; null if it can. Asked before {@link #raw}. */
    default @Nullable String obstacle(HostState host, RequestSpec spec, Options options) {
        return null;
    }

    /** The value before normalising; each weigher documents unit and direction. */
    double raw(HostState host, RequestSpec spec, Options options);
}
