package io.berth.placement.ledger;

/** Where an allocation lies, by the database's ids. */
record AllocationKey(long providerId, int resourceClassId) {}
