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
     * @param audits the audits that selected findings to heal and are still stored
     */
    record Plan(List<Finding> findings, Set<FindingKind> truncated, List<Applied> audits) implements AuditOutcome {}

    /**
     * The selected findings were healed, except the skipped ones.
     *
     * @param id the id of the audit, by which it can be undone; null if no listed finding was selected
     * @param skipped ids of findings that were selected, or requested by id, and not healed, because the finding has
     *         changed, was not found, or has no cure
     * @param truncated kinds with more findings than the request's limit; the findings beyond the limit were not healed
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
     * @param reason a sentence for the client
     */
    record Conflict(String reason) implements AuditOutcome {}

    /**
     * An audit that selected findings to heal. It may have changed no rows, because the findings had changed before.
     *
     * @param changes number of rows changed
     * @param undoneAt null if it was not undone
     */
    record Applied(
            UUID id, String userId, OffsetDateTime at, @Nullable OffsetDateTime undoneAt, long changes) {}
}
