/**
 * Allocations on the wire: the routes that set, delete and show them, and the forms of each microversion.
 *
 * <p>Start at {@link io.berth.placement.allocation.AllocationsEndpoint}. Every write goes to {@link
 * io.berth.placement.ledger.Ledger}; microversions end here.
 */
package io.berth.placement.allocation;
