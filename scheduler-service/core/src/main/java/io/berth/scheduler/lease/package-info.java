/**
 * Ownership of the records of requests, which all replicas share in PostgreSQL. The replica that owns a record writes
 * with fence numbers of its own until its lease expires; then any replica may take the record over.
 * {@link io.berth.scheduler.lease.OpenWork} is the entry point: it finishes and prunes the records of
 * {@code requestrecord}, {@code move}, {@code instancecleanup} and {@code groupreservation}. This package must not know
 * the contents of the records.
 */
package io.berth.scheduler.lease;
