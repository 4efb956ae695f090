package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Takes claims back. Only what was claimed goes: the consumer's allocations are read, compared and emptied under their
 * generation, so that a newer claim of the same consumer survives.
 */
@Singleton
public class Releases {
    private static final Logger LOG = Logger.getLogger(Releases.class);

    private final PlacementClient placement;
    private final PendingReleaseStore pending;

    public Releases(PlacementClient placement, PendingReleaseStore pending) {
        this.placement = placement;
        this.pending = pending;
    }

    /** What one attempt came to. */
    enum Outcome {
        /** The claim is gone, or was never ours. */
        DONE,
        /** The consumer holds nothing; a lost claim may still commit. */
        ABSENT,
        /** Placement could not be asked, or somebody wrote at the same moment. */
        AGAIN
    }

    /**
     * Takes back what a failed request claimed. Never fails: what cannot be taken back now is recorded for later, and
     * if even that is impossible, logged with all it takes to do it by hand.
     */
    public Uni<Void> releaseAll(List<Made> claims) {
        return Multi.createFrom().iterable(claims)
                .onItem().transformToUniAndConcatenate(made -> attempt(
                                made.consumer().uuid(), made.request().allocations(), made.consumer().requestId())
                        .chain(outcome -> outcome == Outcome.AGAIN
                                ? recordForLater(made)
                                : Uni.createFrom().voidItem()))
                .onItem().ignoreAsUni();
    }

    /**
     * Takes one claim back now. Something else that the consumer holds is left alone.
     *
     * @return false when placement could not be asked
     */
    public Uni<Boolean> release(Made made) {
        return attempt(made.consumer().uuid(), made.request().allocations(), made.consumer().requestId())
                .map(outcome -> outcome != Outcome.AGAIN);
    }

    /** For a claim without an answer: it is looked for again and again until it cannot commit any more. */
    public Uni<Void> recordForLater(Made made) {
        return pending.record(made.consumer().uuid(), made.request().allocations(), made.consumer().requestId())
                .onFailure().invoke(failure -> LOG.errorf(
                        failure,
                        "claim neither released nor recorded consumer=%s allocations=%s request=%s",
                        made.consumer().uuid(),
                        made.request().allocations(),
                        made.consumer().requestId()))
                .onFailure().recoverWithNull();
    }

    /**
     * Takes back what earlier, failed requests left of these consumers, before they claim anew.
     *
     * @return false when placement could not be asked; then nothing may be claimed yet
     */
    public Uni<Boolean> settle(List<UUID> consumers, String requestId) {
        return pending.take(consumers).chain(left -> left.isEmpty()
                ? Uni.createFrom().item(true)
                : Multi.createFrom().iterable(left)
                        .onItem().transformToUniAndConcatenate(release ->
                                attempt(release.consumer(), release.claim(), requestId).chain(outcome -> outcome
                                                == Outcome.AGAIN
                                        ? pending.record(release.consumer(), release.claim(), release.requestId())
                                                .replaceWith(false)
                                        : Uni.createFrom().item(true)))
                        .collect().asList()
                        .map(settled -> !settled.contains(false)));
    }

    Uni<Outcome> attempt(UUID consumer, Map<String, Map<String, Long>> claim, String requestId) {
        return placement.getAllocations(consumer, requestId).chain(answer -> switch (answer) {
            case AllocationsAnswer.Unreachable _ -> Uni.createFrom().item(Outcome.AGAIN);
            case AllocationsAnswer.Held held when held.allocations().isEmpty() ->
                Uni.createFrom().item(Outcome.ABSENT);
            case AllocationsAnswer.Held held when !held.allocations().equals(claim) -> {
                LOG.warnf("consumer holds something else, left alone consumer=%s", consumer);
                yield Uni.createFrom().item(Outcome.DONE);
            }
            case AllocationsAnswer.Held held -> empty(consumer, held, requestId);
        });
    }

    private Uni<Outcome> empty(UUID consumer, AllocationsAnswer.Held held, String requestId) {
        Claim nothing = new Claim(
                consumer,
                new AllocationRequest(Map.of(), Map.of()),
                held.consumerGeneration(),
                held.projectId(),
                held.userId());
        return placement.putAllocations(nothing, requestId)
                .map(result -> result instanceof ClaimResult.Claimed ? Outcome.DONE : Outcome.AGAIN);
    }
}
