/**
 * The fleet for somebody who looks at it: what placement and the registry know of all hosts, or of one, in one answer;
 * and changes of an inventory. Claims nothing and decides nothing.
 *
 * <p>Start at {@link io.berth.scheduler.fleet.FleetEndpoint}.
 */
package io.berth.scheduler.fleet;
