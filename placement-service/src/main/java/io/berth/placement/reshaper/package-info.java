/**
 * Moves inventories and the allocations on them between providers in one step.
 *
 * <p>Start at {@link io.berth.placement.reshaper.ReshaperEndpoint}; the ledger does the work ({@link
 * io.berth.placement.ledger.claim.Claim.Reshape}).
 */
package io.berth.placement.reshaper;
