/**
 * What would the scheduler do, and why? {@link io.berth.scheduler.simulation.SimulationsEndpoint} makes a decision on
 * hosts, request and options of its body, without asking placement and without claiming anything.
 *
 * <p>Reads and writes JSON around {@link io.berth.scheduler.decision.Decision}; holds no rule of its own.
 */
package io.berth.scheduler.simulation;
