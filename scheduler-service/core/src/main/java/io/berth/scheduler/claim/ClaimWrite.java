package io.berth.scheduler.claim;

import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.Claim;
import io.berth.scheduler.placement.candidate.AllocationRequest;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Defines what a claim of a host writes to placement: one consumer with {@code PUT /allocations/{uuid}}, or two in one
 * transaction with {@code POST /allocations}. The claims of several instances that are claimed together are one
 * {@code POST}. Held allocations are replaced in one step, so that a consumer that holds allocations is never without.
 */
public sealed interface ClaimWrite {
    /**
     * Returns the allocations that the consumer holds once the claim holds.
     *
     * @param held the allocations that the consumer held before
     * @param request the allocation request that is claimed
     */
    default AllocationRequest allocationsAfter(AllocationsResult.Allocations held, AllocationRequest request) {
        return request;
    }

    /** Returns whether the claim adds to the held allocations, so that a rollback must leave them to the consumer. */
    default boolean keepsHeld() {
        return false;
    }

    /**
     * Returns the claims to send in one request.
     *
     * @param held the allocations that the consumer holds, as read; placement refuses the claim if the consumer's
     *     generation has changed since
     * @return the claims; the consumer's claim is the last one
     */
    default List<Claim> claims(Consumer consumer, AllocationsResult.Allocations held, AllocationRequest request) {
        return List.of(consumer.claim(held, allocationsAfter(held, request)));
    }

    /**
     * Adds the allocations on the host to the allocations that the consumer holds. A provider that is in both keeps its
     * held amounts ({@link Consumer#mergeHeld}).
     * <br>Source: nova {@code scheduler/client/report.py} (claim_resources).
     */
    record Add() implements ClaimWrite {
        @Override
        public AllocationRequest allocationsAfter(AllocationsResult.Allocations held, AllocationRequest request) {
            return Consumer.mergeHeld(held, request);
        }

        @Override
        public boolean keepsHeld() {
            return true;
        }
    }

    /** Replaces the held allocations by the allocations on the host. */
    record Replace() implements ClaimWrite {}

    /**
     * Replaces the held allocations by the allocations on the host, and transfers the held ones to a migration in the
     * same transaction.
     * <br>Source: nova {@code scheduler/client/report.py} (move_allocations), which needs two requests.
     */
    record HandOver(UUID migration) implements ClaimWrite {
        @Override
        public List<Claim> claims(Consumer consumer, AllocationsResult.Allocations held, AllocationRequest request) {
            AllocationRequest source = new AllocationRequest(held.allocations(), Map.of());
            return List.of(
                    new Claim(migration, source, null, held.projectId(), held.userId()),
                    consumer.claim(held, request));
        }
    }
}
