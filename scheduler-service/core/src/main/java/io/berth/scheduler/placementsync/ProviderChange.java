package io.berth.scheduler.placementsync;

import io.berth.scheduler.host.registry.ProviderReport;
import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.UUID;

/**
 * The wanted state of one resource provider.
 *
 * @param name its name if it must be created
 * @param disabled whether the service is disabled; null to leave the trait unchanged
 * @param joined aggregates that it must be in
 * @param left aggregates that it must not be in; all others stay
 * @param report of its compute node; null to leave that unchanged
 * @param inDoubt whether an earlier change without a response may still commit
 */
record ProviderChange(
        UUID provider,
        String name,
        @Nullable Boolean disabled,
        Set<UUID> joined,
        Set<UUID> left,
        @Nullable ProviderReport report,
        boolean inDoubt) {
    boolean concernsTraits() {
        return disabled != null || (report != null && report.traits() != null);
    }

    boolean concernsAggregates() {
        return !joined.isEmpty() || !left.isEmpty();
    }

    /** Returns whether inventories are written. Only then a missing provider is created, as nova-compute does. */
    boolean concernsInventories() {
        return report != null && report.inventories() != null;
    }

    /** Returns whether the change only removes things, so that a missing provider needs no change. */
    boolean onlyTakesAway() {
        return !Boolean.TRUE.equals(disabled) && joined.isEmpty() && report == null;
    }
}
