/**
 * Writes allocations. Claims that arrive at about the same time are decided and committed in one transaction.
 *
 * <p>Entry point: {@link io.berth.placement.ledger.Ledger#submit}. {@link io.berth.placement.ledger.ClaimQueue} holds
 * the claims that wait for a batch or for a lock of another transaction. {@link io.berth.placement.ledger.BatchRuns}
 * runs a batch, and repeats it after a rollback. {@link io.berth.placement.ledger.Batch} is one transaction: {@link
 * io.berth.placement.ledger.LedgerStore} locks and reads, {@code claim.ClaimRules} decides, and {@link
 * io.berth.placement.ledger.NetEffectStore} writes; releases without a fencing token need no decision and run in {@link
 * io.berth.placement.ledger.ReleaseStore} instead. Like every writer of the service, a batch locks consumers by uuid,
 * and then providers by id. The packages {@code allocation} and {@code reshaper} submit claims. This package must not
 * depend on HTTP.
 */
package io.berth.placement.ledger;
