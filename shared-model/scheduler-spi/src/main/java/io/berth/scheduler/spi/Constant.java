package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import java.util.function.ToDoubleFunction;

/** The same raw value for every host, so that no host is weighed. */
public record Constant(double value) implements ToDoubleFunction<HostState> {
    /** The value of a weigher that has nothing to weigh by in a request. */
    public static final Constant ZERO = new Constant(0);

    @Override
    public double applyAsDouble(HostState host) {
        return value;
    }
}
