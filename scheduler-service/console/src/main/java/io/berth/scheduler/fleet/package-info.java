/**
 * Shows the fleet to operators: one response with the data of all hosts, or of one host, from placement and the
 * registry; and changes of an inventory. Does not decide or claim.
 *
 * <p>Start at {@link io.berth.scheduler.fleet.FleetEndpoint}.
 */
package io.berth.scheduler.fleet;
