package io.berth.scheduler.weigher;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.spi.HostWeigher;
import java.util.function.ToDoubleFunction;

/**
 * A weigher whose multiplier is an option. The metadata of a host's aggregates may override the multiplier, under the
 * name of the option.
 */
abstract class OptionWeigher implements HostWeigher {
    private final String name;
    private final ToDoubleFunction<Options.Weights> option;

    OptionWeigher(String name, ToDoubleFunction<Options.Weights> option) {
        this.name = name;
        this.option = option;
    }

    @Override
    public final String aggregateKey() {
        return name;
    }

    @Override
    public final double configuredMultiplier(Options options) {
        return option.applyAsDouble(options.filterScheduler().weights());
    }
}
