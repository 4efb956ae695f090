package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Defines what a request to placement writes to claim a host: one consumer with {@code PUT /allocations/{uuid}}, or
 * two in one transaction with {@code POST /allocations}. The consumer is never without allocations in between.
 */
public sealed interface ClaimWrite {
    /** Returns the consumer's allocations once the claim holds. */
    default AllocationRequest after(AllocationsAnswer.Held held, AllocationRequest request) {
        return request;
    }

    /** Returns whether the consumer still has its earlier allocations after the claim is rolled back. */
    default boolean keepsHeld() {
        return false;
    }

    /**
     * Returns the claims to send.
     *
     * @param held the allocations that the consumer holds, as read; the claim is refused if its generation changed
     *     since
     * @return the claims, the consumer's own last
     */
    default List<Claim> claims(Consumer consumer, AllocationsAnswer.Held held, AllocationRequest request) {
        return List.of(consumer.claim(held, after(held, request)));
    }

    /**
     * Adds the host to what the consumer holds.
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

    /** Replaces what the consumer holds by the host. */
    record Instead() implements ClaimWrite {}

    /**
     * Replaces what the consumer holds by the host, and hands the held allocations to a migration.
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
