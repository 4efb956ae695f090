package io.berth.placement.ledger.claim;

/** The ids of the provider and the resource class of an allocation or inventory, as in the database. */
public record AllocationKey(long providerId, int resourceClassId) {}
