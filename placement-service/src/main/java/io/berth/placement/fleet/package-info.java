/**
 * All resource providers in memory, proven fresh before each response.
 *
 * <p>Entry point: {@link io.berth.placement.fleet.FleetFeed#fresh()} returns a {@link
 * io.berth.placement.fleet.FleetView} that includes every transaction committed before the call, by any replica. Views
 * and everything in them are immutable and know no database. Writers publish a change to the feed through {@link
 * io.berth.placement.db.FleetChanges} in the transaction that makes it. Must not depend on HTTP.
 */
package io.berth.placement.fleet;
