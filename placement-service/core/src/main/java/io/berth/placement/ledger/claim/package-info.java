/**
 * The claims that the ledger accepts, and the rules that decide them. They use no database and no clock.
 *
 * <p>Entry point: {@link io.berth.placement.ledger.claim.ClaimRules}, which contains all the rules. It decides {@link
 * io.berth.placement.ledger.claim.Claim}s on {@link io.berth.placement.ledger.claim.LockedRows}, and returns a {@link
 * io.berth.placement.ledger.claim.ClaimResult} for each claim and the {@link io.berth.placement.ledger.claim.NetEffect}
 * of the accepted ones. A new rule that concurrent claims must not violate belongs there. The packages {@code ledger},
 * {@code allocation} and {@code reshaper} use this one, which must not depend on the queue or on SQL.
 */
package io.berth.placement.ledger.claim;
