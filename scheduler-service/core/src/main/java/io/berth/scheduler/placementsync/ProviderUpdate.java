package io.berth.scheduler.placementsync;

import io.berth.scheduler.host.registry.ProviderReport;
import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.UUID;

/**
 * The wanted state of one resource provider, as far as the placement sync is to write it.
 *
 * @param provider uuid of the provider
 * @param name name with which a missing provider is created
 * @param disabled whether the compute service is disabled; null to leave the trait {@value DesiredTraits#DISABLED}
 *     unchanged
 * @param joinedAggregates aggregates that the provider must be in
 * @param leftAggregates aggregates that the provider must not be in; other aggregates stay unchanged
 * @param report report of the provider's compute node; null to leave inventories and reported traits unchanged
 * @param isIndeterminate whether a write of an earlier attempt may still commit
 */
record ProviderUpdate(
        UUID provider,
        String name,
        @Nullable Boolean disabled,
        Set<UUID> joinedAggregates,
        Set<UUID> leftAggregates,
        @Nullable ProviderReport report,
        boolean isIndeterminate) {
    boolean concernsTraits() {
        return disabled != null || (report != null && report.traits() != null);
    }

    boolean concernsAggregates() {
        return !joinedAggregates.isEmpty() || !leftAggregates.isEmpty();
    }

    /**
     * Returns whether this update writes inventories. Only such an update creates a missing provider, as nova-compute
     * does.
     */
    boolean concernsInventories() {
        return report != null && report.inventories() != null;
    }

    /**
     * Returns whether this update only removes a trait or memberships, so that it has nothing to do if the provider is
     * missing.
     */
    boolean onlyRemoves() {
        return !Boolean.TRUE.equals(disabled) && joinedAggregates.isEmpty() && report == null;
    }
}
