package io.berth.scheduler.search;

import com.fasterxml.jackson.databind.JsonNode;
import io.berth.scheduler.placement.ProviderResult;
import io.berth.scheduler.placement.http.ResourceProviders;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.RequestedNetwork;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * Queries placement for the aggregates of network segments. Neutron creates a resource provider for each segment, with
 * the segment's uuid.
 * <br>Source: nova {@code network/neutron.py} (get_segment_ids_for_network), {@code scheduler/request_filter.py}
 * (routed_networks_filter).
 */
@Singleton
class SegmentAggregates {
    /** Maximum concurrent queries for one request. */
    private static final int QUERIES_MAX = 8;

    private final ResourceProviders providers;

    SegmentAggregates(ResourceProviders providers) {
        this.providers = providers;
    }

    /** The result of the query. */
    sealed interface Result {}

    /** @param bySegment uuid of a segment to uuids of its aggregates; without segments that have no provider */
    record Read(Map<String, Set<String>> bySegment) implements Result {}

    /** The aggregates could not be read from placement. */
    record Unreachable(String why) implements Result {}

    private record SegmentAnswer(String segment, ProviderResult answer) {}

    /**
     * Reads the aggregates of every segment that the networks of a request can use. Ignores segment ids that are not
     * uuids, because such a segment has no provider.
     */
    Uni<Result> read(PlacementRequest request, String requestId) {
        List<UUID> segments = request.networks().stream()
                .map(RequestedNetwork::reachableSegments)
                .flatMap(List::stream)
                .distinct()
                .map(Uuids::find)
                .filter(uuid -> uuid != null)
                .toList();
        return Multi.createFrom().iterable(segments)
                .onItem().transformToUni(segment -> providers
                        .read(segment, ResourceProviders.Part.AGGREGATES, requestId)
                        .map(answer -> new SegmentAnswer(segment.toString(), answer)))
                .merge(QUERIES_MAX)
                .collect().asList()
                .map(SegmentAggregates::result);
    }

    private static Result result(List<SegmentAnswer> all) {
        Map<String, Set<String>> bySegment = new HashMap<>();
        for (SegmentAnswer each : all) {
            switch (each.answer()) {
                case ProviderResult.Done(JsonNode body) -> {
                    Set<String> aggregates = new TreeSet<>();
                    body.path("aggregates").forEach(aggregate -> aggregates.add(aggregate.asText()));
                    bySegment.put(each.segment(), aggregates);
                }
                case ProviderResult.Absent _ -> {}
                case ProviderResult.GenerationConflict(String why) -> {
                    return new Unreachable(why);
                }
                case ProviderResult.Refused(int status, String why) -> {
                    return new Unreachable("placement answered " + status + ": " + why);
                }
                case ProviderResult.Unreachable(String why) -> {
                    return new Unreachable(why);
                }
            }
        }
        return new Read(bySegment);
    }
}
