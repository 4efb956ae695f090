/**
 * Inventories and the allocations on them moved between providers in one step.
 *
 * <p>Start at {@link io.berth.placement.reshaper.ReshaperEndpoint}; the work is the ledger's
 * ({@link io.berth.placement.ledger.claim.Claim.Reshape}).
 */
package io.berth.placement.reshaper;
