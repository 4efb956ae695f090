/**
 * The claims that the ledger accepts, and the rules that decide them. Plain values and functions: no database, no
 * clock.
 *
 * <p>A {@link io.berth.placement.ledger.claim.Claim} ends as a {@link io.berth.placement.ledger.claim.ClaimResult}.
 * {@link io.berth.placement.ledger.claim.ClaimRules} has all the rules: locked rows and claims in, results and net
 * effect out. A new guard that must hold under concurrency belongs there. Must not depend on how claims wait, or on
 * SQL.
 */
package io.berth.placement.ledger.claim;
