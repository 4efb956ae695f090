/**
 * Requests that share an answer do not all choose the same host: {@link io.berth.scheduler.placement.racing.Race} is the
 * entry point. Asks nobody itself: see {@code http}.
 */
package io.berth.scheduler.placement.racing;
