/**
 * Ownership of the records of requests, which all replicas share in PostgreSQL. The replica that owns a record writes
 * to placement with fence numbers of its own ({@link io.berth.scheduler.lease.FenceNumbers}) until its lease expires;
 * then any replica may take the record over, and placement refuses late writes of the former owner.
 * {@link io.berth.scheduler.lease.OpenWork} is the entry point: it finishes and prunes the records of
 * {@code requestrecord}, {@code move}, {@code instancecleanup} and {@code groupreservation}. This package must not know
 * the contents of the records.
 */
package io.berth.scheduler.lease;
