/**
 * Takes a request to selected and claimed hosts. {@link io.berth.scheduler.selection.Destinations} is the flow and
 * knows the drivers; {@link io.berth.scheduler.search.HostSearch} finds the hosts for it,
 * {@link io.berth.scheduler.selection.Rounds} claims them one after the other;
 * {@link io.berth.scheduler.selection.Reschedules} claims alternates after a failed build. All decisions are made by
 * the pure packages; this one only queries, waits and claims. It must not know routes, bodies or moves.
 */
package io.berth.scheduler.selection;
