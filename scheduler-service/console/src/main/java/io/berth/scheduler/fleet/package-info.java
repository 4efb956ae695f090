/**
 * The fleet for operators: the data of all hosts, or of one, in placement and the registry, in one response; and
 * changes of an inventory. Claims nothing and decides nothing.
 *
 * <p>Start at {@link io.berth.scheduler.fleet.FleetEndpoint}.
 */
package io.berth.scheduler.fleet;
