/**
 * Finds what should not be in the tables, heals what can be healed, and takes that back.
 *
 * <p>Entry point: {@link io.berth.placement.audit.Audits}; what is looked for: {@link
 * io.berth.placement.audit.FindingKind}. {@link io.berth.placement.audit.FindingStore} finds, {@link
 * io.berth.placement.audit.HealingStore} heals and keeps what was, {@link io.berth.placement.audit.UndoStore} puts it
 * back. Order of locks as everywhere: trees, consumers by uuid, providers by id. Must not write allocations that no
 * finding is about.
 */
package io.berth.placement.audit;
