/**
 * Takes a request to selected and claimed hosts. {@link io.berth.scheduler.selection.Destinations} is the entry point
 * and knows the drivers; {@link io.berth.scheduler.selection.SelectLoop} is the course of a request, step by step;
 * {@link io.berth.scheduler.selection.Retries} is its retry policy;
 * {@link io.berth.scheduler.selection.Reschedules} claims alternates after a failed build. All decisions are made by
 * the pure packages; this one only queries, waits and claims. It must not know routes, bodies or moves.
 */
package io.berth.scheduler.selection;
