package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import java.util.function.ToDoubleFunction;

/** Returns the same raw value for every host, so that it need not be evaluated per host. */
public record Constant(double value) implements ToDoubleFunction<HostState> {
    /** The value of a weigher that does not apply to a request. */
    public static final Constant ZERO = new Constant(0);

    @Override
    public double applyAsDouble(HostState host) {
        return value;
    }
}
