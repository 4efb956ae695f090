package io.berth.scheduler.prefilter;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.TreeSet;

/**
 * Restricts a project to the hosts of the aggregates that name the project; does not restrict a project that no
 * aggregate names. An aggregate names a project if its metadata have the project's id as the whole value of a key that
 * starts with {@code filter_tenant_id}.
 *
 * <p>Options: {@code [scheduler] limit_tenants_to_placement_aggregate} (default false) enables the prefilter; {@code
 * [scheduler] placement_aggregate_required_for_tenants} (default false) refuses projects that no aggregate names.
 */
final class RequireTenantAggregate implements RequestPrefilter {
    private static final String TENANT_KEY = "filter_tenant_id";

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().limitTenantsToPlacementAggregate()) {
            return new PrefilterResult.Continue(request);
        }
        Set<String> ofProject = new TreeSet<>();
        for (HostAggregate aggregate : inputs.aggregates()) {
            if (namesTenant(aggregate, request.projectId())) {
                ofProject.add(aggregate.uuid());
            }
        }
        if (!ofProject.isEmpty()) {
            return new PrefilterResult.Continue(request.withMemberOf(ofProject));
        }
        return inputs.options().placementAggregateRequiredForTenants()
                ? new PrefilterResult.Refused("no hosts available for tenant " + request.projectId())
                : new PrefilterResult.Continue(request);
    }

    private static boolean namesTenant(HostAggregate aggregate, @Nullable String projectId) {
        return aggregate.metadata().entrySet().stream()
                .anyMatch(entry -> entry.getKey().startsWith(TENANT_KEY) && entry.getValue().equals(projectId));
    }
}
