package io.berth.scheduler.departure;

import io.berth.scheduler.boot.Boots;
import io.berth.scheduler.host.registry.edit.IfMatch;
import io.berth.scheduler.host.registry.edit.InstanceRemoval;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.UUID;

/**
 * Deletes an instance: what it holds in placement first, then its registration and the word of the request that placed
 * it, in one statement. Whoever dies in between leaves an instance that is registered and holds nothing: the same call
 * again finishes it, and {@link Departures} does where nobody calls.
 */
@Singleton
class InstanceDeletion implements InstanceRemoval {
    private static final int ATTEMPTS_MAX = 3;

    private final DepartureStore store;
    private final Boots boots;
    private final PlacementClient placement;

    InstanceDeletion(DepartureStore store, Boots boots, PlacementClient placement) {
        this.store = store;
        this.boots = boots;
        this.placement = placement;
    }

    @Override
    public Uni<Boolean> remove(UUID instance, @Nullable IfMatch ifMatch, String requestId) {
        return remove(instance, ifMatch, requestId, false, ATTEMPTS_MAX);
    }

    /**
     * Begun anew where the registration changed after it was read: most often it is gone, because {@link Departures} was
     * sooner.
     */
    private Uni<Boolean> remove(
            UUID instance, @Nullable IfMatch ifMatch, String requestId, boolean wasKnown, int attempts) {
        return boots.settle(instance, requestId)
                .chain(() -> store.registered(instance))
                .chain(registered -> {
                    if (registered.isUnderWay() || attempts == 0) {
                        throw underWay();
                    }
                    if (ifMatch != null && registered.version() != null && !ifMatch.admits(registered.version())) {
                        throw new ApiFault(ErrorCode.PRECONDITION_FAILED, IfMatch.REFUSAL);
                    }
                    boolean isRegistered = wasKnown || registered.version() != null;
                    return release(instance, requestId).chain(held -> store.forget(instance, registered.version())
                            .chain(forgotten -> forgotten.isDone()
                                    ? Uni.createFrom().item(held || isRegistered || forgotten.hadDeparted())
                                    : remove(instance, ifMatch, requestId, held || isRegistered, attempts - 1)));
                });
    }

    /** False if it held nothing. Written under the generation that was read, so that a claim in between is not lost. */
    private Uni<Boolean> release(UUID instance, String requestId) {
        return placement.getAllocations(instance, requestId).chain(answer -> switch (answer) {
            case AllocationsAnswer.Unreachable(String why) -> throw away(why);
            case AllocationsAnswer.Held held when held.allocations().isEmpty() -> Uni.createFrom().item(false);
            case AllocationsAnswer.Held held -> placement
                    .putAllocations(
                            new Claim(
                                    instance,
                                    new AllocationRequest(Map.of(), Map.of()),
                                    held.consumerGeneration(),
                                    held.projectId(),
                                    held.userId()),
                            requestId)
                    .map(result -> switch (result) {
                        case ClaimResult.Claimed _ -> true;
                        case ClaimResult.Unreachable(String why) -> throw away(why);
                        case ClaimResult.Denied denied -> throw away(denied.why());
                        case ClaimResult.ConsumerChanged _, ClaimResult.ProvidersBusy _, ClaimResult.Refused _ ->
                            throw underWay();
                    });
        });
    }

    private static ApiFault underWay() {
        return ApiFault.underWay("a request that places or moves the instance is under way");
    }

    private static ApiFault away(String why) {
        return new ApiFault(
                ErrorCode.PLACEMENT_UNAVAILABLE,
                "placement does not answer: " + why + ". Nothing of the instance is forgotten; delete it again");
    }
}
