package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What one request to placement writes to claim a host: one consumer with {@code PUT /allocations/{uuid}}, or two at once
 * with {@code POST /allocations}. The consumer never holds nothing in between.
 */
public sealed interface ClaimWrite {
    /** The consumer's allocations once the claim holds. */
    default AllocationRequest after(AllocationsAnswer.Held held, AllocationRequest request) {
        return request;
    }

    /** Returns whether the consumer still has what it held once the claim is undone. */
    default boolean keepsHeld() {
        return false;
    }

    /**
     * What is sent.
     *
     * @param held what the consumer holds, as read; the claim is refused once its generation changed
     * @return the consumer's claim last
     */
    default List<Claim> claims(Consumer consumer, AllocationsAnswer.Held held, AllocationRequest request) {
        return List.of(consumer.claim(held, after(held, request)));
    }

    /**
     * The consumer keeps what it holds.
     * <br>Source: nova {@code scheduler/client/report.py} (claim_resources).
     */
    record Beside() implements ClaimWrite {
        @Override
        public AllocationRequest after(AllocationsAnswer.Held held, AllocationRequest request) {
            return Consumer.beside(held, request);
        }

        @Override
        public boolean keepsHeld() {
            return true;
        }
    }

    /** The host replaces what the consumer holds. */
    record Instead() implements ClaimWrite {}

    /**
     * The host replaces what the consumer holds, which goes to a migration.
     * <br>Source: nova {@code scheduler/client/report.py} (move_allocations), which needs two requests.
     */
    record HandOver(UUID migration) implements ClaimWrite {
        @Override
        public List<Claim> claims(Consumer consumer, AllocationsAnswer.Held held, AllocationRequest request) {
            AllocationRequest source = new AllocationRequest(held.allocations(), Map.of());
            return List.of(
                    new Claim(migration, source, null, held.projectId(), held.userId()),
                    consumer.claim(held, request));
        }
    }
}
