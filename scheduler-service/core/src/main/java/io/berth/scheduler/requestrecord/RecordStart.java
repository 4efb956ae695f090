package io.berth.scheduler.requestrecord;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * The record of a request that is about to claim, as it is inserted.
 *
 * @param answer the precomputed response; null if it cannot be computed before the claim
 * @param registration the registration of the only instance on the host that is tried first, as JSON text; null for
 *     several instances, and without a precomputed response
 * @param heldBefore JSON text: uuid of an instance to the allocations that it holds already and keeps; null if none
 *     holds any, or if the claim replaces them
 * @param firstNumber the first of the fence numbers that the request has drawn, if its record was lost; null for a
 *     request that begins, which gets its numbers with its record
 */
record RecordStart(
        IdempotencyKey key, @Nullable String answer, @Nullable String registration, @Nullable String heldBefore,
        @Nullable Long firstNumber) {
    RecordStart(
            IdempotencyKey key, @Nullable String answer, @Nullable String registration, @Nullable String heldBefore) {
        this(key, answer, registration, heldBefore, null);
    }

    /** Returns this record as it is written again, after PostgreSQL lost it in a failover. */
    RecordStart lost(long requestFirstNumber) {
        return new RecordStart(key, answer, registration, heldBefore, requestFirstNumber);
    }

    /** Returns this record without a precomputed response, and so without the registration that goes with it. */
    RecordStart withoutResponse() {
        return new RecordStart(key, null, null, heldBefore, firstNumber);
    }

    /**
     * Returns the record in a state after its insertion.
     *
     * @param response the response; null if it is invalidated
     * @param requestFirstNumber the first of the fence numbers that the request has drawn for its claims
     * @param keptAllocations uuid of an instance to the allocations that it holds in addition to those of the claim
     */
    RequestRecord record(
            @Nullable String response, long requestFirstNumber, RequestRecord.State state,
            Map<UUID, Map<String, Map<String, Long>>> keptAllocations) {
        return new RequestRecord(
                key.key(), key.fingerprint(), key.instances(), response, key.requestId(), requestFirstNumber, state,
                keptAllocations);
    }
}
