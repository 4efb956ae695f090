package io.berth.placement.ledger.claim;

/** Where an allocation lies, by the database's ids. */
public record AllocationKey(long providerId, int resourceClassId) {}
