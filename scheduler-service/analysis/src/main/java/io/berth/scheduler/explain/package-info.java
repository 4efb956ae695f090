/**
 * Explains why a host cannot take an instance, and which changes would admit it.
 * {@link io.berth.scheduler.explain.ExplanationsEndpoint} evaluates placement's conditions and the filters for each
 * host alone, and tries changes of the cloud or the request, on a copy, until the host is admissible. Nothing is
 * claimed or written. No other package uses this one.
 */
package io.berth.scheduler.explain;
