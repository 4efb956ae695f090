package io.berth.placement.audit;

import jakarta.annotation.Nullable;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The result of an audit or of an undo. */
sealed interface AuditOutcome {
    /**
     * The audit listed its findings and healed nothing.
     *
     * @param truncated kinds with more findings than are listed
     * @param audits the audits that healed something and are still stored
     */
    record Plan(List<Finding> findings, Set<FindingKind> truncated, List<Applied> audits) implements AuditOutcome {}

    /**
     * The requested findings were healed.
     *
     * @param id the id of the audit, by which it can be undone; null if nothing was healed
     * @param skipped requested ids whose finding has changed or never existed
     * @param truncated kinds with more findings than are listed
     */
    record Healed(@Nullable UUID id, List<Finding> healed, List<String> skipped, Set<FindingKind> truncated)
            implements AuditOutcome {}

    /**
     * The audit was undone.
     *
     * @param changes number of rows restored
     */
    record Undone(UUID id, long changes) implements AuditOutcome {}

    /** The audit to undo is not stored. */
    record NoSuchAudit() implements AuditOutcome {}

    /**
     * The audit or undo was refused, and nothing was changed.
     *
     * @param why a sentence for the client
     */
    record Conflict(String why) implements AuditOutcome {}

    /**
     * An audit that healed something.
     *
     * @param changes number of rows changed
     * @param undoneAt null if it was not undone
     */
    record Applied(UUID id, String userId, OffsetDateTime at, OffsetDateTime undoneAt, long changes) {}
}
