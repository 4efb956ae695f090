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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Reserves hosts for projects: a host accepts only the projects that its aggregates name under any metadata key that
 * starts with {@code filter_tenant_id}. A host whose aggregates name no project accepts all projects.
 * <br>Differs from nova: nova up to 2023 read only the key {@code filter_tenant_id}.
 * <br>Source: nova {@code scheduler/filters/aggregate_multitenancy_isolation.py}.
 */
@Singleton
public final class AggregateMultiTenancyIsolation implements PreparedFilter, InsensitiveFilter {
    @Override
    public HostCheck prepare(RequestSpec spec, Options options) {
        return HostCheck.byAggregates(host -> compare(host, spec));
    }

    @Override
    public List<Remedy> remedies(HostState host, RequestSpec spec, Reason reason) {
        return spec.projectId() == null
                ? List.of()
                : List.of(new Remedy.AddToMetadata("filter_tenant_id", List.of(spec.projectId())));
    }

    private static Verdict compare(HostState host, RequestSpec spec) {
        Set<String> projects = new LinkedHashSet<>();
        AggregateMetadata.itemsByKey(host).forEach((key, items) -> {
            if (key.startsWith("filter_tenant_id")) {
                projects.addAll(items);
            }
        });
        return projects.isEmpty() || projects.contains(spec.projectId())
                ? Verdict.PASS
                : Verdict.reject("project", "host reserved for projects %2$s",
                        spec.projectId() == null ? List.of() : spec.projectId(), projects);
    }
}
