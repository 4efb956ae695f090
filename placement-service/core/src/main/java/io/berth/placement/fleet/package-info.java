/**
 * Holds all resource providers in memory, and brings them up to date before each response.
 *
 * <p>Entry point: {@link io.berth.placement.fleet.FleetFeed#fresh()} returns a {@link
 * io.berth.placement.fleet.FleetView} that includes every transaction committed before the call, by any replica. Views
 * and all objects in them are immutable apart from caches, and do not use the database. A transaction that changes the
 * fleet records the change with {@link io.berth.placement.db.FleetChanges}. All routes that read providers use this
 * package, which must not depend on HTTP.
 */
package io.berth.placement.fleet;
