package io.berth.scheduler.requestrecord;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/**
 * The record of a request that is about to claim.
 *
 * @param registration of its only instance on the host that is tried first, as JSON text; null for several
 * @param kept by instance, the allocations it already holds, as JSON text; null for none
 */
record RecordStart(
        IdempotencyKey asked, @Nullable String answer, @Nullable String registration, @Nullable String kept) {
    /**
     * Returns the record as it is written.
     *
     * @param first of the owner's block of numbers
     * @param keptBy by instance, the allocations that it holds besides the claim
     */
    RequestRecord record(
            @Nullable String response, long first, RequestRecord.State state,
            Map<UUID, Map<String, Map<String, Long>>> keptBy) {
        return new RequestRecord(
                asked.key(), asked.fingerprint(), asked.instances(), response, asked.requestId(), first, state, keptBy);
    }
}
