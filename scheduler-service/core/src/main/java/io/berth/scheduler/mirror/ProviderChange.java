package io.berth.scheduler.mirror;

import io.berth.scheduler.host.registry.ProviderReport;
import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.UUID;

/**
 * What is to become of one resource provider.
 *
 * @param name what it is called if it has to be made
 * @param disabled whether the service is; null to leave that as it is
 * @param joined aggregates it shall be in
 * @param left aggregates it shall not be in; all others stay
 * @param report what its compute node says of it; null to leave that as it is
 * @param inDoubt whether an earlier change that got no answer may still land
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

    /** A provider is made for a node that says what it has, as nova-compute does. */
    boolean concernsInventories() {
        return report != null && report.inventories() != null;
    }

    /** Returns whether a provider that does not exist is as good as one that was changed. */
    boolean onlyTakesAway() {
        return !Boolean.TRUE.equals(disabled) && joined.isEmpty() && report == null;
    }
}
