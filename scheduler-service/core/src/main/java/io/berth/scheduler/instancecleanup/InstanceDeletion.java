package io.berth.scheduler.instancecleanup;

import io.berth.model.Maps;
import io.berth.scheduler.db.Batches;
import io.berth.scheduler.host.registry.edit.IfMatch;
import io.berth.scheduler.host.registry.edit.InstanceRemoval;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.BegunDeletion;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.Deletion;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.DeletionEnd;
import io.berth.scheduler.instancecleanup.InstanceCleanupStore.EndedDeletion;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ReleaseResult;
import io.berth.scheduler.placement.SettlementResult;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/**
 * Deletes an instance in three steps: opens a request record, which keeps other requests from claiming for the
 * instance; releases the allocations in placement; deletes registration and record in one statement. If placement does
 * not respond to the release, a second call, the settlement, determines whether the release has committed, and keeps it
 * from committing later. If the replica dies before the release, nothing is deleted. If it dies between the release and
 * the last step, the instance is registered without allocations: a repeated call or {@link InstanceCleanups} completes
 * the deletion. Concurrent deletions share statements ({@link Batches}).
 */
@Singleton
class InstanceDeletion implements InstanceRemoval {
    /** Maximum instances in one statement. */
    private static final int BATCH_MAX = 128;

    /** Time limit of a statement. {@link Batches} repeats the deletions of a failed statement one by one. */
    private static final Duration STATEMENT_MAX = Duration.ofSeconds(10);

    private final RequestRecords requestRecords;
    private final PlacementClient placement;
    private final FenceNumbers numbers;
    private final Batches<Deletion, BegunDeletion> begins;
    private final Batches<DeletionEnd, EndedDeletion> ends;

    InstanceDeletion(InstanceCleanupStore store, RequestRecords requestRecords, PlacementClient placement,
            FenceNumbers numbers) {
        this.begins =
                new Batches<>(BATCH_MAX, STATEMENT_MAX, deletion -> List.of(deletion.instance()), batch -> store
                        .beginDeletions(batch)
                        .map(begun -> deletion -> begun.get(deletion.instance())));
        this.ends = new Batches<>(BATCH_MAX, STATEMENT_MAX, end -> List.of(end.instance()), batch -> store
                .endDeletions(batch)
                .map(ended -> end -> ended.get(end.instance())));
        this.requestRecords = requestRecords;
        this.placement = placement;
        this.numbers = numbers;
    }

    @Override
    public Uni<Boolean> remove(UUID instance, @Nullable IfMatch ifMatch, String requestId) {
        Deletion deletion = new Deletion(instance, requestId, ifMatch == null ? null : ifMatch.versions());
        return begin(deletion, ifMatch).chain(begun -> {
            Long number = begun.number();
            if (number == null) {
                throw conflict();
            }
            return release(deletion, number)
                    .chain(held -> ends
                            .add(new DeletionEnd(instance, number, ifMatch == null ? null : begun.version()))
                            .onItem().transformToUni(ended -> ended.isDone()
                                    ? Uni.createFrom().item(held || begun.version() != null
                                            || ended.hadCleanupRow())
                                    // The registration has changed, or another replica took the deletion over.
                                    : requestRecords.discardFailedDeletion(deletion.key(), number).chain(() -> {
                                        throw conflict();
                                    })));
        }).onFailure(failure -> !(failure instanceof ApiFault)).call(() -> abandon(deletion));
    }

    /**
     * Ends this replica's work on the record after a statement or a release that had no response. Any replica then
     * settles the release and deletes the record. If the release has committed, {@link InstanceCleanups} deletes the
     * registration.
     */
    private Uni<Void> abandon(Deletion deletion) {
        return requestRecords.giveUpUnansweredDeletion(deletion.key(), deletion.requestId());
    }

    /**
     * Begins the deletion. If another request works on the instance, completes or rolls back that request if its owner
     * is gone, and tries to begin once more.
     */
    private Uni<BegunDeletion> begin(Deletion deletion, @Nullable IfMatch ifMatch) {
        Uni<BegunDeletion> attempt = begins.add(deletion).invoke(begun -> {
            if (ifMatch != null && begun.version() != null && !ifMatch.admits(begun.version())) {
                throw new ApiFault(ErrorCode.PRECONDITION_FAILED, IfMatch.REFUSAL);
            }
        }).chain(begun -> closeUnlessOwner(deletion, begun));
        return attempt.chain(begun -> begun.number() != null
                ? Uni.createFrom().item(begun)
                : requestRecords.settle(deletion.instance(), deletion.requestId()).chain(() -> attempt));
    }

    /** Closes the record of a deletion that lost the instance to a concurrent request; it then has no number. */
    private Uni<BegunDeletion> closeUnlessOwner(Deletion deletion, BegunDeletion begun) {
        return begun.number() == null || begun.isOwner()
                ? Uni.createFrom().item(begun)
                : requestRecords.discardFailedDeletion(deletion.key(), begun.number())
                        .replaceWith(new BegunDeletion(begun.version(), null, false));
    }

    /**
     * Releases the allocations. Returns false if the instance held none. Fails with ApiFault if placement refuses the
     * release, or if the release had no response and is not known to have committed.
     */
    private Uni<Boolean> release(Deletion deletion, long number) {
        return placement.deleteAllocations(deletion.instance(), number, deletion.requestId())
                .chain(result -> switch (result) {
                    case ReleaseResult.Released _ -> Uni.createFrom().item(true);
                    case ReleaseResult.NothingHeld _ -> Uni.createFrom().item(false);
                    case ReleaseResult.Fenced(long fence) -> numbers.raise(fence)
                            .chain(() -> requestRecords.discardFailedDeletion(deletion.key(), number))
                            .chain(() -> Uni.createFrom().failure(conflict()));
                    case ReleaseResult.Unreachable(String why) -> settle(deletion, number, why);
                });
    }

    /**
     * Determines the outcome of a release without a response. After the settlement the release has committed, or
     * placement refuses it. Returns true if the instance holds no allocations any more. Fails with ApiFault if it holds
     * some, or if the settlement has no response, too.
     */
    private Uni<Boolean> settle(Deletion deletion, long number, String why) {
        // The settlement has the next number, so that placement refuses the release from then on.
        return placement.settle(number + 1, List.of(deletion.instance()), deletion.requestId())
                .chain(result -> result instanceof SettlementResult.Settled(var consumers)
                        ? Maps.require(consumers, deletion.instance()).held().allocations().isEmpty()
                                ? Uni.createFrom().item(true)
                                : requestRecords.discardFailedDeletion(deletion.key(), number).chain(() -> failed(why))
                        : abandon(deletion).chain(() -> failed(why)));
    }

    private static Uni<Boolean> failed(String why) {
        return Uni.createFrom()
                .failure(ApiFault.placementAway(why + ". The instance is still registered; delete it again"));
    }

    private static ApiFault conflict() {
        return ApiFault.conflictInFlight("a request that places, moves or deletes the instance is under way");
    }
}
