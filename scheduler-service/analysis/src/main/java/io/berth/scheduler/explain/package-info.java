/**
 * Explains why a host cannot take an instance, and which changes would admit it.
 * {@link io.berth.scheduler.explain.ExplanationsEndpoint} evaluates placement's conditions and the filters for each
 * host in isolation, and tries changes until the host is admissible. No other package uses this one. Claims and writes
 * nothing.
 */
package io.berth.scheduler.explain;
