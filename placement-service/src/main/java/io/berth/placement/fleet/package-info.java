/**
 * Every resource provider, held in memory and proven fresh before it answers.
 *
 * <p>Entry point: {@link io.berth.placement.fleet.FleetFeed#fresh()} gives a {@link io.berth.placement.fleet.FleetView}
 * that includes every transaction committed before the call, by whichever replica. Everything here but the feed and
 * its store is immutable and knows no database. Writers tell the feed of a change by
 * {@link io.berth.placement.db.FleetChanges} in the transaction that makes it. Must not depend on HTTP.
 */
package io.berth.placement.fleet;
