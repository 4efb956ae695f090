/**
 * The routes below {@code /v1/fleet}, which the operator's page uses. They return the data of all hosts or of one host,
 * from placement and the registry, and change an inventory in placement. Entry point:
 * {@link io.berth.scheduler.fleet.FleetEndpoint}. This package makes no decisions and no claims.
 */
package io.berth.scheduler.fleet;
