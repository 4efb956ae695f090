/**
 * Simulates decisions. {@link io.berth.scheduler.simulation.SimulationsEndpoint} decides on the request, options and
 * hosts of its body, or on the hosts that placement offers now. Claims nothing.
 *
 * <p>Reads and writes JSON around {@link io.berth.scheduler.decision.Decision}; contains no rules.
 */
package io.berth.scheduler.simulation;
