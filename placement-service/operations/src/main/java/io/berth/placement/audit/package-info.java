/**
 * Finds inconsistencies in the tables and in the fleet in memory, heals them where possible, and can undo the healing.
 *
 * <p>Entry point: {@link io.berth.placement.audit.Audits}; the kinds of findings: {@link
 * io.berth.placement.audit.FindingKind}. {@link io.berth.placement.audit.FindingStore} finds, {@link
 * io.berth.placement.audit.HealingStore} heals and stores the previous rows, {@link io.berth.placement.audit.UndoStore}
 * restores them. Healing and undo lock in the order that all writers use: trees, consumers by uuid, providers by id. No
 * other package uses this one. This package must not write allocations except to heal findings and to undo the healing.
 */
package io.berth.placement.audit;
