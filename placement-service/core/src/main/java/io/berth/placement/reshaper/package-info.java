/**
 * Moves inventories, with the allocations on them, between providers in one transaction.
 *
 * <p>Entry point: {@link io.berth.placement.reshaper.ReshaperEndpoint}, which submits a {@link
 * io.berth.placement.ledger.claim.Claim.Reshape} to the ledger. No other package uses this one.
 */
package io.berth.placement.reshaper;
