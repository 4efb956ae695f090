package io.berth.scheduler.prefilter;

import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;
import java.util.TreeSet;

/**
 * Restricts the query to hosts in an aggregate whose metadata {@code availability_zone} is exactly the requested zone.
 * If no aggregate has this zone, the text counts as several zones, separated by commas, and an aggregate of any of
 * these zones suffices. If one of these zones has no aggregate, the query is not restricted; AvailabilityZoneFilter may
 * still compare zones.
 *
 * <p>Option: {@code [scheduler] query_placement_for_availability_zone}, default true; if false, only
 * AvailabilityZoneFilter checks zones.
 * <br>Differs from nova: nova removed the option and AvailabilityZoneFilter; its API refuses commas.
 */
final class MapAzToPlacementAggregate implements RequestPrefilter {
    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        String zone = request.availabilityZone();
        if (!inputs.options().queryPlacementForAvailabilityZone() || zone == null || zone.isEmpty()) {
            return new PrefilterResult.Continue(request);
        }
        Set<String> aggregates = aggregatesOf(zone, inputs);
        if (aggregates.isEmpty()) {
            for (String zoneName : AggregateMetadata.split(zone)) {
                Set<String> inZone = aggregatesOf(zoneName, inputs);
                if (inZone.isEmpty()) {
                    return new PrefilterResult.Continue(request);
                }
                aggregates.addAll(inZone);
            }
        }
        return new PrefilterResult.Continue(aggregates.isEmpty() ? request : request.withMemberOf(aggregates));
    }

    private static Set<String> aggregatesOf(String zone, PrefilterInputs inputs) {
        Set<String> inZone = new TreeSet<>();
        for (HostAggregate aggregate : inputs.aggregates()) {
            if (zone.equals(aggregate.metadata().get("availability_zone"))) {
                inZone.add(aggregate.uuid());
            }
        }
        return inZone;
    }
}
