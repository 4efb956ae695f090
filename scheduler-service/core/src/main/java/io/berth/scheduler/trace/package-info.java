/**
 * The decision trace, which one request fills while it is processed: {@link io.berth.scheduler.trace.DecisionTrace}. It
 * has references and numbers only; {@code record} interprets them later, after the response. Used by all packages on
 * the path of a decision, so this package must not know which code decides, searches or claims.
 */
package io.berth.scheduler.trace;
