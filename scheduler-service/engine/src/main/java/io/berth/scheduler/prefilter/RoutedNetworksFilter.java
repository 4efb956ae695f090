package io.berth.scheduler.prefilter;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.RequestedNetwork;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;
import java.util.TreeSet;

/**
 * Restricts a request to hosts that reach the segments of its routed networks. For each network, a host must be in an
 * aggregate of one of the network's segments. For a port that already has addresses, only the segment of its first
 * subnet counts. A network without segments does not restrict the hosts. As in nova, the request is refused if one of
 * the segments that count has no aggregate.
 *
 * <p>A segment has three kinds of aggregates: in placement, the aggregates of the provider with the segment's uuid,
 * which neutron creates; the host aggregate with the name {@code Neutron segment id <segment>}, which neutron also
 * creates; and host aggregates with the metadata {@code segment_id = <segment>}.
 * <br>Option: {@code [scheduler] query_placement_for_routed_network_aggregates}, default false.
 * <br>Differs from nova: nova queries neutron for the segments of a network; here the request names them. Host
 * aggregates may replace aggregates that placement lacks.
 */
final class RoutedNetworksFilter implements RequestPrefilter {
    private static final String SEGMENT_NAME = "Neutron segment id ";

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().queryPlacementForRoutedNetworkAggregates()) {
            return new PrefilterResult.Continue(request);
        }
        PlacementRequest restricted = request;
        for (RequestedNetwork network : request.networks()) {
            if (network.segmentIds().isEmpty()) {
                continue;
            }
            Set<String> reachingAggregates = new TreeSet<>();
            for (String segment : network.reachableSegments()) {
                if (!addAggregatesOf(segment, inputs, reachingAggregates)) {
                    return new PrefilterResult.Refused("no aggregate for network segment " + segment);
                }
            }
            restricted = restricted.withMemberOf(reachingAggregates);
        }
        return new PrefilterResult.Continue(restricted);
    }

    /** Adds the uuids of the segment's aggregates to the set. Returns whether the segment has any. */
    private static boolean addAggregatesOf(String segment, PrefilterInputs inputs, Set<String> reachingAggregates) {
        Set<String> inPlacement = inputs.aggregatesBySegment().getOrDefault(segment, Set.of());
        reachingAggregates.addAll(inPlacement);
        boolean hasAggregate = !inPlacement.isEmpty();
        for (HostAggregate aggregate : inputs.aggregates()) {
            if ((SEGMENT_NAME + segment).equals(aggregate.name())
                    || segment.equals(aggregate.metadata().get("segment_id"))) {
                reachingAggregates.add(aggregate.uuid());
                hasAggregate = true;
            }
        }
        return hasAggregate;
    }
}
