/**
 * Connects the scheduler to its database: the URL, and the pools {@code registry} and {@code decisions}.
 * {@link io.berth.scheduler.db.Batches} combines concurrent writes into one transaction. The schema is in
 * {@code resources/db/scheduler}. The packages that have SQL use the pools directly.
 */
package io.berth.scheduler.db;
