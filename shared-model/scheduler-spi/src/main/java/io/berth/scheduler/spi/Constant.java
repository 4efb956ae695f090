package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import java.util.function.ToDoubleFunction;

/**
 * A weigher's function that returns the same raw value for every host. The ranking calls the function for one host
 * only.
 */
public record Constant(double value) implements ToDoubleFunction<HostState> {
    /** The function of a weigher that does not apply to a request. */
    public static final Constant ZERO = new Constant(0);

    @Override
    public double applyAsDouble(HostState host) {
        return value;
    }
}
