package io.berth.scheduler.filter;

import io.berth.scheduler.config.Options;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.spi.HostCheck;
import io.berth.scheduler.spi.PreparedFilter;
import io.berth.scheduler.spi.Reason;
import io.berth.scheduler.spi.Remedy;
import io.berth.scheduler.spi.Verdict;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Set;

/**
 * Reserves hosts for flavors: a host accepts only the flavors whose names its aggregates list under the metadata key
 * {@code instance_type}. A host whose aggregates list no flavor accepts all flavors.
 * <br>Source: nova {@code scheduler/filters/type_filter.py}.
 */
@Singleton
public final class AggregateTypeAffinityFilter implements PreparedFilter, InsensitiveFilter {
    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return HostCheck.byAggregates(host -> compare(host, spec));
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return List.of(new Remedy.AddToMetadata("instance_type", List.of(String.valueOf(spec.flavor().name()))));
    }

    private static Verdict compare(HostState host, RequestSpec spec) {
        Set<String> flavors = AggregateMetadata.items(host, "instance_type");
        return flavors.isEmpty() || flavors.contains(spec.flavor().name())
                ? Verdict.PASS
                : Verdict.reject("flavor", "flavor %s, host reserved for %s",
                        String.valueOf(spec.flavor().name()), flavors);
    }
}
