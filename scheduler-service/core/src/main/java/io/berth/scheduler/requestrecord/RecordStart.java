package io.berth.scheduler.requestrecord;

import jakarta.annotation.Nullable;

/**
 * The record of a request that is about to claim.
 *
 * @param registration of its only instance on the host that is tried first, as JSON text; null for several
 * @param kept by instance, the allocations it already holds, as JSON text; null for none
 */
record RecordStart(IdempotencyKey asked, @Nullable String answer, @Nullable String registration, @Nullable String kept) {}
