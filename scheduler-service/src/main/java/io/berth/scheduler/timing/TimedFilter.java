package io.berth.scheduler.timing;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.HostFilter;
import io.berth.scheduler.filter.Verdict;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.Repeatable;
import io.berth.scheduler.request.RequestSpec;

/** A filter with a clock. Its answers are the filter's. */
sealed class TimedFilter implements HostFilter {
    private final HostFilter filter;
    private final SampledTime time;

    private TimedFilter(HostFilter filter, SampledTime time) {
        this.filter = filter;
        this.time = time;
    }

    static HostFilter of(HostFilter filter, SampledTime time) {
        return filter instanceof Repeatable ? new Repeated(filter, time) : new TimedFilter(filter, time);
    }

    private static final class Repeated extends TimedFilter implements Repeatable {
        Repeated(HostFilter filter, SampledTime time) {
            super(filter, time);
        }
    }

    @Override
    public String name() {
        return filter.name();
    }

    @Override
    public boolean runsOncePerRequest() {
        return filter.runsOncePerRequest();
    }

    @Override
    public boolean runsOnRebuild() {
        return filter.runsOnRebuild();
    }

    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        if (!time.isDue()) {
            return filter.check(host, spec, options);
        }
        long started = System.nanoTime();
        Verdict verdict = filter.check(host, spec, options);
        time.took(System.nanoTime() - started);
        return verdict;
    }
}
