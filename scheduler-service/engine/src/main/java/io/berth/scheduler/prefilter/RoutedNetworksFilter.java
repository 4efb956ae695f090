package io.berth.scheduler.prefilter;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.WantedNetwork;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;
import java.util.TreeSet;

/**
 * Confines a request to hosts that reach the segments of its routed networks: per network, membership of an aggregate
 * of one of its segments. A port that already has addresses is bound to its first subnet's segment. A network without
 * segments is reachable everywhere. If any eligible segment has no aggregate, the request is refused, as in nova.
 *
 * <p>A segment's aggregates are those that placement has for the provider with the segment's uuid, which neutron
 * creates; the host aggregate named {@code Neutron segment id <segment>}, as neutron names those it creates; and those
 * with the metadata entry {@code segment_id = <segment>}.
 * <br>Option: {@code [scheduler] query_placement_for_routed_network_aggregates}, default false.
 * <br>Differs from nova: nova queries neutron for the segments of a network; here the request names them. Host
 * aggregates may stand in for aggregates that placement lacks.
 */
final class RoutedNetworksFilter implements RequestPrefilter {
    private static final String SEGMENT_NAME = "Neutron segment id ";

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().queryPlacementForRoutedNetworkAggregates()) {
            return new PrefilterResult.Continue(request);
        }
        PlacementRequest confined = request;
        for (WantedNetwork network : request.networks()) {
            if (network.segmentIds().isEmpty()) {
                continue;
            }
            Set<String> reaching = new TreeSet<>();
            for (String segment : network.reachableSegments()) {
                if (!addAggregatesOf(segment, inputs, reaching)) {
                    return new PrefilterResult.Refused("no aggregate for network segment " + segment);
                }
            }
            confined = confined.withMemberOf(reaching);
        }
        return new PrefilterResult.Continue(confined);
    }

    private static boolean addAggregatesOf(String segment, PrefilterInputs inputs, Set<String> reaching) {
        Set<String> inPlacement = inputs.aggregatesBySegment().getOrDefault(segment, Set.of());
        reaching.addAll(inPlacement);
        boolean found = !inPlacement.isEmpty();
        for (HostAggregate aggregate : inputs.aggregates()) {
            if (aggregate.name().equals(SEGMENT_NAME + segment)
                    || segment.equals(aggregate.metadata().get("segment_id"))) {
                reaching.add(aggregate.uuid());
                found = true;
            }
        }
        return found;
    }
}
