package io.berth.placement.ledger.claim;

/** The provider and resource class of an allocation, by the database's ids. */
public record AllocationKey(long providerId, int resourceClassId) {}
