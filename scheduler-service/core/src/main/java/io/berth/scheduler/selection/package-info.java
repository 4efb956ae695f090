/**
 * Takes a request to selected and claimed hosts. {@link io.berth.scheduler.selection.Destinations} is the entry point
 * for {@code api}, {@code move} and the messages of nova, and knows the drivers.
 * {@link io.berth.scheduler.selection.SelectLoop} has the steps of a request in order,
 * {@link io.berth.scheduler.selection.Retries} its retry policy. {@link io.berth.scheduler.selection.Reschedules}
 * claims alternates after a failed build. The decisions themselves are made by pure packages; this one queries, waits
 * and claims. It must not know routes, bodies or moves.
 */
package io.berth.scheduler.selection;
