/**
 * The routes that set, delete and show allocations, and the request and response bodies of each microversion.
 *
 * <p>Entry point: {@link io.berth.placement.allocation.AllocationsEndpoint}. Every write becomes a {@link
 * io.berth.placement.ledger.claim.Claim}, which does not depend on the microversion, and is submitted to {@link
 * io.berth.placement.ledger.Ledger}. The packages {@code reshaper} and {@code audit} use this one.
 */
package io.berth.placement.allocation;
