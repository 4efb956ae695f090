package io.berth.scheduler.legacy.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.filter.HostSensitiveFilter;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.Objects;

/**
 * Rejects hosts that run an instance of another flavor, compared by database id.
 * <br>Differs from nova: nova removed the filter by 2018.
 * <br>Source: nova {@code scheduler/filters/type_filter.py} of the last release that had it.
 */
@Singleton
public final class TypeAffinityFilter implements HostSensitiveFilter {
    @Override
    public Verdict check(HostState host, RequestSpec spec, Options options) {
        for (RunningInstance instance : host.instances().values()) {
            if (!Objects.equals(instance.flavorId(), spec.flavor().id())) {
                return Verdict.reject("other_flavor", "runs an instance of flavor %2$s, wanted %1$s",
                        String.valueOf(spec.flavor().id()), String.valueOf(instance.flavorId()));
            }
        }
        return Verdict.PASS;
    }
}
