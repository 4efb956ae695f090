/**
 * What would the scheduler do, and why? {@link io.berth.scheduler.simulation.SimulationsEndpoint} makes a decision on
 * request, options and hosts of its body, or on the hosts that placement offers now, without claiming anything.
 *
 * <p>Reads and writes JSON around {@link io.berth.scheduler.decision.Decision}; holds no rule of its own.
 */
package io.berth.scheduler.simulation;
