/**
 * All writes of allocations. Claims that arrive together are decided and committed together.
 *
 * <p>Entry point: {@link io.berth.placement.ledger.Ledger#submit}. {@link io.berth.placement.ledger.ClaimQueue} holds
 * waiting claims: those that may begin, and those that wait for another transaction's locks. {@link
 * io.berth.placement.ledger.BatchRuns} runs a batch, and runs it again after a rollback. {@link
 * io.berth.placement.ledger.Batch} is one transaction: {@link io.berth.placement.ledger.LedgerStore} locks and reads,
 * {@code claim.ClaimRules} decides, {@link io.berth.placement.ledger.NetEffectStore} writes. Lock order, the same for
 * every writer of the service: consumers by uuid, then providers by id. Must not depend on HTTP.
 */
package io.berth.placement.ledger;
