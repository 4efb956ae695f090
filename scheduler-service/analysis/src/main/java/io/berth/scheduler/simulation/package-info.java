/**
 * Simulates decisions. {@link io.berth.scheduler.simulation.SimulationsEndpoint} decides on the request, options and
 * hosts of its body, or on the hosts for which placement has candidates now. Nothing is claimed.
 *
 * <p>The package only reads and writes JSON; the rules are in {@link io.berth.scheduler.decision.Decision}.
 */
package io.berth.scheduler.simulation;
