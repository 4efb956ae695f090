package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.ClaimResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Takes claims back. Only what was claimed goes: the consumer's allocations are read, judged and written under their
 * generation, so that a newer claim of the same consumer survives.
 */
@Singleton
public class Releases {
    private static final Logger LOG = Logger.getLogger(Releases.class);

    private final PlacementClient placement;

    public Releases(PlacementClient placement) {
        this.placement = placement;
    }

    /** What one attempt came to. */
    public enum Outcome {
        /** The claim is gone, or was never ours. */
        DONE,
        /** Placement could not be asked, somebody wrote at the same moment, or it is the caller's no more. */
        AGAIN,
        /**
         * It was asked and did not answer: what was sent may still commit, and under a generation that a new claim of the
         * same consumer may come to.
         */
        UNHEARD;

        /** The one that asks for most. */
        public static Outcome of(Collection<Outcome> all) {
            return all.stream().max(Comparator.naturalOrder()).orElse(DONE);
        }
    }

    /**
     * @param isOurs judges what the consumer holds
     * @param kept what it is to hold afterwards; writing that, even if it is there already, also shuts out a claim that
     *     is still on its way, unless placement refuses it. Empty: nothing
     * @param mayWrite asked between reading and writing, which may be long after the call
     */
    public Uni<Outcome> takeBack(
            UUID consumer,
            Predicate<Map<String, Map<String, Long>>> isOurs,
            Map<String, Map<String, Long>> kept,
            Supplier<Uni<Boolean>> mayWrite,
            String requestId) {
        return placement.getAllocations(consumer, requestId).chain(answer -> switch (answer) {
            case AllocationsAnswer.Unreachable _ -> Uni.createFrom().item(Outcome.AGAIN);
            case AllocationsAnswer.Held held when held.allocations().isEmpty() ->
                Uni.createFrom().item(Outcome.DONE);
            case AllocationsAnswer.Held held when !held.allocations().equals(kept)
                    && !isOurs.test(held.allocations()) -> {
                LOG.warnf("consumer holds something else, left alone consumer=%s", consumer);
                yield Uni.createFrom().item(Outcome.DONE);
            }
            case AllocationsAnswer.Held held -> mayWrite.get().chain(may -> may
                    ? write(consumer, kept, held, requestId)
                    : Uni.createFrom().item(Outcome.AGAIN));
        });
    }

    private Uni<Outcome> write(
            UUID consumer, Map<String, Map<String, Long>> kept, AllocationsAnswer.Held held, String requestId) {
        Claim claim = new Claim(
                consumer,
                new AllocationRequest(kept, Map.of()),
                held.consumerGeneration(),
                held.projectId(),
                held.userId());
        return placement.putAllocations(claim, requestId)
                .map(result -> switch (result) {
                    case ClaimResult.Claimed _ -> Outcome.DONE;
                    // A Placement of before 2025 refuses even what is held, on a provider that is overcommitted.
                    case ClaimResult.Refused _ when held.allocations().equals(kept) -> Outcome.DONE;
                    case ClaimResult.Unreachable _ -> Outcome.UNHEARD;
                    default -> Outcome.AGAIN;
                });
    }
}
