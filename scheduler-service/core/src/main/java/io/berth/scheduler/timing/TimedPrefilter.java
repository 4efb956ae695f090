package io.berth.scheduler.timing;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;

/** Records the duration of each call of a prefilter, one call per attempt of a request. */
record TimedPrefilter(RequestPrefilter prefilter, Timer timer) implements RequestPrefilter {
    @Override
    public String name() {
        return prefilter.name();
    }

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        long started = System.nanoTime();
        PrefilterResult result = prefilter.apply(request, inputs);
        timer.record(System.nanoTime() - started, TimeUnit.NANOSECONDS);
        return result;
    }
}
