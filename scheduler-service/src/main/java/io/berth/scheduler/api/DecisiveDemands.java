package io.berth.scheduler.api;

import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.CandidatesAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.Shortage;
import io.berth.scheduler.request.query.QueryParts;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;

/**
 * Finds out why placement offered nothing: asks again without one demand at a time, and, where an amount is to blame,
 * once more to see how much of it there is. Lost answers count as nothing.
 */
@Singleton
class DecisiveDemands {
    /** Questions asked at the most. */
    private static final int DEMANDS_MAX = 16;

    private final PlacementClient placement;

    DecisiveDemands(PlacementClient placement) {
        this.placement = placement;
    }

    /** @param candidatesMax of the one question whose answer is searched for the best provider */
    Uni<Outcome.NoCandidates> find(String query, int candidatesMax, String requestId) {
        return Multi.createFrom().iterable(QueryParts.of(query, DEMANDS_MAX))
                .onItem().transformToUniAndConcatenate(variant -> offers(variant.queryString(), requestId)
                        .map(offered -> offered.isEmpty() ? List.<QueryParts.Without>of() : List.of(variant)))
                .onItem().<QueryParts.Without>disjoint()
                .collect().asList()
                .chain(decisive -> nearest(decisive, candidatesMax, requestId)
                        .map(shortage -> new Outcome.NoCandidates(
                                query, decisive.stream().map(QueryParts.Without::demand).toList(), shortage)));
    }

    /** Of the first amount that is to blame; null if none is. */
    private Uni<Shortage> nearest(List<QueryParts.Without> decisive, int candidatesMax, String requestId) {
        return decisive.stream()
                .filter(variant -> variant.demand().startsWith("resources"))
                .findFirst()
                .map(variant -> offers(variant.queryString(candidatesMax), requestId)
                        .map(offered -> Shortage.of(variant.demand(), offered)))
                .orElseGet(() -> Uni.createFrom().nullItem());
    }

    private Uni<AllocationCandidates> offers(String queryString, String requestId) {
        return placement.allocationCandidates(queryString, requestId)
                .map(answer -> answer instanceof CandidatesAnswer.Found(AllocationCandidates found)
                        ? found
                        : AllocationCandidates.NONE);
    }
}
