/**
 * What may be asked of the ledger and what becomes of it. Plain values and functions: no database, no clock.
 *
 * <p>A {@link io.berth.placement.ledger.claim.Claim} ends as a {@link io.berth.placement.ledger.claim.ClaimResult}.
 * {@link io.berth.placement.ledger.claim.ClaimRules} is the whole of what is allowed: locked rows and claims in, results
 * and net effect out. A new guard that must hold under concurrency goes there. Must not depend on how claims wait, or on
 * SQL.
 */
package io.berth.placement.ledger.claim;
