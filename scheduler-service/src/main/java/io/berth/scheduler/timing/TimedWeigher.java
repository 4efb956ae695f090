package io.berth.scheduler.timing;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.weigher.HostWeigher;

/** A weigher with a clock around {@link #raw}. Its answers are the weigher's. */
sealed class TimedWeigher implements HostWeigher {
    private final HostWeigher weigher;
    private final SampledTime time;

    private TimedWeigher(HostWeigher weigher, SampledTime time) {
        this.weigher = weigher;
        this.time = time;
    }

    static HostWeigher of(HostWeigher weigher, SampledTime time) {
        return weigher instanceof Repeatable ? new Repeated(weigher, time) : new TimedWeigher(weigher, time);
    }

    private static final class Repeated extends TimedWeigher implements Repeatable {
        Repeated(HostWeigher weigher, SampledTime time) {
            super(weigher, time);
        }
    }

    @Override
    public String name() {
        return weigher.name();
    }

    @Override
    public double minimum() {
        return weigher.minimum();
    }

    @Override
    public String aggregateKey() {
        return weigher.aggregateKey();
    }

    @Override
    public double configuredMultiplier(Options options) {
        return weigher.configuredMultiplier(options);
    }

    @Override
    public double multiplier(HostState host, Options options) {
        return weigher.multiplier(host, options);
    }

    @Override
    public String obstacle(HostState host, RequestSpec spec, Options options) {
        return weigher.obstacle(host, spec, options);
    }

    @Override
    public double raw(HostState host, RequestSpec spec, Options options) {
        if (!time.isDue()) {
            return weigher.raw(host, spec, options);
        }
        long started = System.nanoTime();
        double raw = weigher.raw(host, spec, options);
        time.took(System.nanoTime() - started);
        return raw;
    }
}
