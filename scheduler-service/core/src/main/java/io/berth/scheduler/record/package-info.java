/**
 * Records why a decision went as it did. Every decision leaves a record in PostgreSQL, written after its response:
 * {@link io.berth.scheduler.record.DecisionRecords} writes it, {@link io.berth.scheduler.record.RecordBody} defines
 * its content, {@link io.berth.scheduler.record.RecordedDecision} reads it. Decisions do not wait for it; a record
 * may be lost, but never in part. This package must not know routes, nor the flow of decisions.
 */
package io.berth.scheduler.record;
