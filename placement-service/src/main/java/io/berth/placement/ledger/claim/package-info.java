/**
 * The claims that the ledger accepts, and the rules that decide them. Plain values and functions: no database, no
 * clock.
 *
 * <p>A {@link io.berth.placement.ledger.claim.Claim} ends as a {@link io.berth.placement.ledger.claim.ClaimResult}.
 * {@link io.berth.placement.ledger.claim.ClaimRules} has all the rules: it takes locked rows and claims, and returns
 * results and the net effect. A new rule that must hold under concurrency belongs there. Must not depend on queueing or
 * SQL.
 */
package io.berth.placement.ledger.claim;
