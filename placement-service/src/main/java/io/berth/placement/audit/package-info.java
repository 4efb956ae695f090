/**
 * Finds inconsistencies in the tables, heals them where possible, and can undo that.
 *
 * <p>Entry point: {@link io.berth.placement.audit.Audits}; the kinds of findings: {@link
 * io.berth.placement.audit.FindingKind}. {@link io.berth.placement.audit.FindingStore} finds, {@link
 * io.berth.placement.audit.HealingStore} heals and stores the previous rows, {@link io.berth.placement.audit.UndoStore}
 * restores them. Locks are taken in the order of all writers: trees, consumers by uuid, providers by id. The package
 * must not write allocations except to heal findings.
 */
package io.berth.placement.audit;
