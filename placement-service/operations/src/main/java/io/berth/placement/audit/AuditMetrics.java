package io.berth.placement.audit;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;
import java.util.EnumMap;
import java.util.Map;

/**
 * Publishes the number of findings of this replica's last audit, as a gauge for each kind that needs no list of known
 * consumers. Counts only audits that looked for all these kinds and healed nothing, both regular ones and those that a
 * client requested.
 */
@Singleton
final class AuditMetrics {
    private volatile Map<FindingKind, Integer> counts = Map.of();

    AuditMetrics(MeterRegistry meters) {
        for (FindingKind kind : FindingKind.values()) {
            if (AuditRequest.ALL_BUT_UNKNOWN.contains(kind)) {
                Gauge.builder("berth.audit.findings", this, metrics -> metrics.count(kind))
                        .description("Findings of the last audit of all kinds by this replica, up to"
                                + " the audit's limit of a kind; NaN before the first audit")
                        .tag("kind", kind.wireName())
                        .register(meters);
            }
        }
    }

    private double count(FindingKind kind) {
        Map<FindingKind, Integer> now = counts;
        return now.isEmpty() ? Double.NaN : now.getOrDefault(kind, 0);
    }

    /** Replaces the counts by those of an audit that looked for all kinds, with or without unknown consumers. */
    void recordFindings(AuditOutcome.Plan plan) {
        Map<FindingKind, Integer> now = new EnumMap<>(FindingKind.class);
        AuditRequest.ALL_BUT_UNKNOWN.forEach(kind -> now.put(kind, 0));
        plan.findings().forEach(finding -> now.merge(finding.kind(), 1, Integer::sum));
        counts = now;
    }
}
