/**
 * Who holds what, on the wire: the routes that set, delete and show allocations, and each microversion's forms of them.
 *
 * <p>Start at {@link io.berth.placement.allocation.AllocationsEndpoint}. Every write goes to
 * {@link io.berth.placement.ledger.Ledger}; microversions end here.
 */
package io.berth.placement.allocation;
