/**
 * Why did a decision go as it did, long after it? Every decision leaves a record in PostgreSQL, behind its answer:
 * {@link io.berth.scheduler.record.DecisionRecords} takes it, {@link io.berth.scheduler.record.RecordBody} says what
 * stands in it, {@link io.berth.scheduler.record.RecordedDecision} reads it. Whoever decides does not wait for it, and
 * what is written may be lost, but never in part. Must not know routes, nor who decides for whom.
 */
package io.berth.scheduler.record;
