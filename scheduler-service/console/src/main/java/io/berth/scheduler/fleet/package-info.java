/**
 * The routes below {@code /v1/fleet}, which the operator's page uses: the data of all hosts, or of one host, from
 * placement and the registry, and changes of an inventory. Entry point:
 * {@link io.berth.scheduler.fleet.FleetEndpoint}. This package makes no decisions and no claims.
 */
package io.berth.scheduler.fleet;
