package io.berth.scheduler.departure;

import io.berth.scheduler.boot.Boots;
import io.berth.scheduler.db.Batches;
import io.berth.scheduler.departure.DepartureStore.Begun;
import io.berth.scheduler.departure.DepartureStore.Deletion;
import io.berth.scheduler.departure.DepartureStore.End;
import io.berth.scheduler.departure.DepartureStore.Forgotten;
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
 * it, in one statement. A record like that of a boot keeps others from placing or moving it meanwhile, and for as long as
 * a claim or release that had no answer may still commit. Whoever dies in between leaves an instance that is registered and holds
 * nothing: the same call again finishes it, and {@link Departures} does where nobody calls. Deletions of the same moment
 * share their statements.
 */
@Singleton
class InstanceDeletion implements InstanceRemoval {
    /** Instances of one statement. */
    private static final int TOGETHER_MAX = 128;

    private static final Duration STATEMENT_MAX = Duration.ofSeconds(10);

    private final Boots boots;
    private final PlacementClient placement;
    private final Batches<Deletion, Begun> begins;
    private final Batches<End, Forgotten> ends;

    InstanceDeletion(DepartureStore store, Boots boots, PlacementClient placement) {
        this.begins = new Batches<>(TOGETHER_MAX, STATEMENT_MAX, deletion -> List.of(deletion.instance()), together -> store
                .begin(together)
                .map(begun -> deletion -> begun.get(deletion.instance())));
        this.ends = new Batches<>(TOGETHER_MAX, STATEMENT_MAX, end -> List.of(end.deletion().instance()), together -> store
                .forget(together)
                .map(forgotten -> end -> forgotten.get(end.deletion().instance())));
        this.boots = boots;
        this.placement = placement;
    }

    @Override
    public Uni<Boolean> remove(UUID instance, @Nullable IfMatch ifMatch, String requestId) {
        Deletion deletion = new Deletion(instance, UUID.randomUUID(), requestId, ifMatch == null ? null : ifMatch.versions());
        return begun(deletion, ifMatch)
                .chain(begun -> {
                    if (!begun.hasWord()) {
                        throw underWay();
                    }
                    return release(deletion).chain(held -> ends
                            .add(new End(deletion, ifMatch == null ? null : begun.version()))
                            .map(forgotten -> {
                                if (!forgotten.isDone()) {
                                    throw underWay();
                                }
                                return held || begun.version() != null || forgotten.hadDeparted();
                            }));
                })
                .onFailure().call(failure -> boots.deletionFailed(deletion.key(), deletion.token(), false));
    }

    /** Once more where a boot was open that could be finished or taken back. */
    private Uni<Begun> begun(Deletion deletion, @Nullable IfMatch ifMatch) {
        Uni<Begun> begin = begins.add(deletion).invoke(begun -> {
            if (ifMatch != null && begun.version() != null && !ifMatch.admits(begun.version())) {
                throw new ApiFault(ErrorCode.PRECONDITION_FAILED, IfMatch.REFUSAL);
            }
        });
        return begin.chain(begun -> begun.hasWord()
                ? Uni.createFrom().item(begun)
                : boots.settle(deletion.instance(), deletion.requestId()).chain(() -> begin));
    }

    /** False if it held nothing. */
    private Uni<Boolean> release(Deletion deletion) {
        return placement.deleteAllocations(deletion.instance(), deletion.requestId())
                .map(result -> switch (result) {
                    case ReleaseResult.Released _ -> true;
                    case ReleaseResult.NothingHeld _ -> false;
                    case ReleaseResult.Unreachable(String why) -> throw ApiFault.placementAway(
                            why + ". Nothing of the instance is forgotten; delete it again");
                })
                .onFailure().call(failure -> boots.deletionFailed(deletion.key(), deletion.token(), true));
    }

    private static ApiFault underWay() {
        return ApiFault.underWay("a request that places, moves or deletes the instance is under way");
    }
}
