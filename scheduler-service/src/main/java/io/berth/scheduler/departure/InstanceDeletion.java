package io.berth.scheduler.departure;

import io.berth.scheduler.boot.Boots;
import io.berth.scheduler.db.Batches;
import io.berth.scheduler.departure.DepartureStore.Due;
import io.berth.scheduler.departure.DepartureStore.Forgotten;
import io.berth.scheduler.departure.DepartureStore.Registered;
import io.berth.scheduler.host.registry.edit.IfMatch;
import io.berth.scheduler.host.registry.edit.InstanceRemoval;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ReleaseResult;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Deletes an instance: what it holds in placement first, then its registration and the word of the request that placed
 * it, in one statement. Whoever dies in between leaves an instance that is registered and holds nothing: the same call
 * again finishes it, and {@link Departures} does where nobody calls. Deletions of the same moment share their statements.
 */
@Singleton
class InstanceDeletion implements InstanceRemoval {
    private static final int ATTEMPTS_MAX = 3;
    /** Instances of one statement. */
    private static final int TOGETHER_MAX = 128;

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(10);

    private final Boots boots;
    private final PlacementClient placement;
    private final Batches<UUID, Registered> reads;
    private final Batches<Due, Forgotten> ends;

    InstanceDeletion(DepartureStore store, Boots boots, PlacementClient placement) {
        this.reads = new Batches<>(TOGETHER_MAX, STATEMENT_MAX, List::of, together -> store
                .registered(together)
                .map(read -> read::get));
        this.ends = new Batches<>(TOGETHER_MAX, STATEMENT_MAX, due -> List.of(due.instance()), together -> store
                .forget(together)
                .map(forgotten -> due -> forgotten.get(due.instance())));
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
        return settled(instance, requestId)
                .chain(registered -> {
                    if (registered.isUnderWay() || attempts == 0) {
                        throw underWay();
                    }
                    if (ifMatch != null && registered.version() != null && !ifMatch.admits(registered.version())) {
                        throw new ApiFault(ErrorCode.PRECONDITION_FAILED, IfMatch.REFUSAL);
                    }
                    boolean isRegistered = wasKnown || registered.version() != null;
                    return release(instance, requestId).chain(held -> ends.add(new Due(instance, registered.version()))
                            .chain(forgotten -> forgotten.isDone()
                                    ? Uni.createFrom().item(held || isRegistered || forgotten.hadDeparted())
                                    : remove(instance, ifMatch, requestId, held || isRegistered, attempts - 1)));
                });
    }

    /** Read again where a boot was open that could be finished or taken back. */
    private Uni<Registered> settled(UUID instance, String requestId) {
        return reads.add(instance).chain(registered -> registered.isUnderWay()
                ? boots.settle(instance, requestId).chain(() -> reads.add(instance))
                : Uni.createFrom().item(registered));
    }

    /** False if it held nothing. */
    private Uni<Boolean> release(UUID instance, String requestId) {
        return placement.deleteAllocations(instance, requestId).map(result -> switch (result) {
            case ReleaseResult.Released _ -> true;
            case ReleaseResult.NothingHeld _ -> false;
            case ReleaseResult.Unreachable(String why) -> throw away(why);
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
