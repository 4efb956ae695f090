/**
 * Finds inconsistent tables, heals what can be healed, and undoes that.
 *
 * <p>Entry point: {@link io.berth.placement.audit.Audits}; the kinds of findings: {@link
 * io.berth.placement.audit.FindingKind}. {@link io.berth.placement.audit.FindingStore} finds, {@link
 * io.berth.placement.audit.HealingStore} heals and stores the previous rows, {@link io.berth.placement.audit.UndoStore}
 * restores them. Order of locks as everywhere: trees, consumers by uuid, providers by id. Must not write allocations
 * outside of findings.
 */
package io.berth.placement.audit;
