/**
 * Simulates decisions. {@link io.berth.scheduler.simulation.SimulationsEndpoint} decides on the request, options and
 * hosts of its body, or on the hosts for which placement has candidates now. Nothing is claimed.
 *
 * <p>The package reads the request, gets the hosts and renders the response; the rules of a decision are in
 * {@link io.berth.scheduler.decision.Decision}.
 */
package io.berth.scheduler.simulation;
