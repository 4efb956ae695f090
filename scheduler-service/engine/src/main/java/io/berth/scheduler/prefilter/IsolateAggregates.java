package io.berth.scheduler.prefilter;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.query.QueryConstruction;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;
import java.util.TreeSet;

/**
 * Excludes aggregates that are reserved for a trait that the request does not require. An aggregate is reserved for the
 * trait T if its metadata have {@code trait:<T> = required}. A request requires T if one of its request groups does;
 * traits that only the root provider must have ({@code root_required}) do not count.
 *
 * <p>Option: {@code [scheduler] enable_isolated_aggregate_filtering}, default false.
 */
final class IsolateAggregates implements RequestPrefilter {
    private static final String TRAIT_KEY = "trait:";

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().enableIsolatedAggregateFiltering()) {
            return new PrefilterResult.Continue(request);
        }
        return PrefilterResult.of(QueryConstruction.requiredTraits(request, inputs.options()), traits -> {
            Set<String> excluded = new TreeSet<>();
            for (HostAggregate aggregate : inputs.aggregates()) {
                if (isReserved(aggregate, traits)) {
                    excluded.add(aggregate.uuid());
                }
            }
            return new PrefilterResult.Continue(excluded.isEmpty() ? request : request.withNotMemberOf(excluded));
        });
    }

    private static boolean isReserved(HostAggregate aggregate, Set<String> requiredTraits) {
        return aggregate.metadata().entrySet().stream()
                .anyMatch(entry -> entry.getKey().startsWith(TRAIT_KEY)
                        && entry.getValue().equals("required")
                        && !requiredTraits.contains(entry.getKey().substring(TRAIT_KEY.length())));
    }
}
