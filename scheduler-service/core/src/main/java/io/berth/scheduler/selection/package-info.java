/**
 * Selects and claims the hosts of a request. {@link io.berth.scheduler.selection.Destinations} is the entry point for
 * {@code api}, {@code move} and the module for nova's messages, and knows the drivers.
 * {@link io.berth.scheduler.selection.SelectLoop} has the steps of a request in order,
 * {@link io.berth.scheduler.selection.Retries} its retry policy. {@link io.berth.scheduler.selection.Reschedules}
 * claims alternates after a failed build. The decisions themselves are made by pure packages; this package queries,
 * waits and claims. It must not know routes, request bodies or moves.
 */
package io.berth.scheduler.selection;
