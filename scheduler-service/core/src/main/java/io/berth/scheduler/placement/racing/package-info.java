/**
 * Keeps requests that share a response from all choosing the same host:
 * {@link io.berth.scheduler.placement.racing.Race} is the entry point. This package sends nothing itself: see
 * {@code http}.
 */
package io.berth.scheduler.placement.racing;
