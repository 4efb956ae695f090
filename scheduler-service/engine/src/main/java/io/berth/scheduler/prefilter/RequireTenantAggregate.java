package io.berth.scheduler.prefilter;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;
import java.util.TreeSet;

/**
 * Confines a project to the host aggregates that name it in a metadata entry whose key starts with
 * {@code filter_tenant_id}; the whole value must equal the project id.
 *
 * <p>Options: {@code [scheduler] limit_tenants_to_placement_aggregate} (default false) switches it on;
 * {@code [scheduler] placement_aggregate_required_for_tenants} (default false) refuses projects that no aggregate
 * names.
 */
final class RequireTenantAggregate implements RequestPrefilter {
    private static final String TENANT_KEY = "filter_tenant_id";

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().limitTenantsToPlacementAggregate()) {
            return new PrefilterResult.Continue(request);
        }
        Set<String> mine = new TreeSet<>();
        for (HostAggregate aggregate : inputs.aggregates()) {
            if (namesTenant(aggregate, request.projectId())) {
                mine.add(aggregate.uuid());
            }
        }
        if (!mine.isEmpty()) {
            return new PrefilterResult.Continue(request.withMemberOf(mine));
        }
        return inputs.options().placementAggregateRequiredForTenants()
                ? new PrefilterResult.Refused("no hosts available for tenant " + request.projectId())
                : new PrefilterResult.Continue(request);
    }

    private static boolean namesTenant(HostAggregate aggregate, String projectId) {
        return aggregate.metadata().entrySet().stream()
                .anyMatch(entry -> entry.getKey().startsWith(TENANT_KEY) && entry.getValue().equals(projectId));
    }
}
