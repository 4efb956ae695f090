package io.berth.scheduler.spi;

import io.berth.scheduler.host.HostState;
import java.util.function.ToDoubleFunction;

/** The same raw value for every host, so that none is asked. */
public record Constant(double value) implements ToDoubleFunction<HostState> {
    /** Of a weigher that a request gives nothing to weigh by. */
    public static final Constant ZERO = new Constant(0);

    @Override
    public double applyAsDouble(HostState host) {
        return value;
    }
}
