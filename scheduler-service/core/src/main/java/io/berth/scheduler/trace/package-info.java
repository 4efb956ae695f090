/**
 * Traces one request for its record: {@link io.berth.scheduler.trace.DecisionTrace}. It collects references and numbers
 * only; the writer of the record interprets them. This package must not know which code decides, searches or claims.
 */
package io.berth.scheduler.trace;
