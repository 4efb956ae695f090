/**
 * Decision records: one for each request to place, move or reschedule instances, from which operators can learn later
 * why it was decided so. {@link io.berth.scheduler.record.DecisionRecords} is the entry point: it writes a record to
 * PostgreSQL after the response, and finds records.
 * {@link io.berth.scheduler.record.RecordBody} defines the content; {@link io.berth.scheduler.record.RecordedDecision}
 * renders it. Decisions do not wait for their records; a record may be lost, but never a part of a record.
 * {@code selection} and {@code nova.shadow} write records; {@code api}, {@code scenario} and {@code planning} read
 * them. This package must not know routes, nor the flow of decisions.
 */
package io.berth.scheduler.record;
