package io.berth.scheduler.placement;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * One state of a provider tree, as placement told it. Immutable, and the same object in every answer that names the tree
 * in this state: so whatever was derived from it holds for them all.
 */
public final class ProviderTree {
    private final String rootUuid;
    private final List<ProviderSummary> summaries;
    /** See {@link #derived}. */
    private volatile @Nullable Object derived;

    /** @param summaries of the tree's providers, in placement's order; empty if placement told nothing of it */
    public ProviderTree(String rootUuid, List<ProviderSummary> summaries) {
        this.rootUuid = Objects.requireNonNull(rootUuid, "rootUuid");
        this.summaries = Objects.requireNonNull(summaries, "summaries");
    }

    public String rootUuid() {
        return rootUuid;
    }

    public List<ProviderSummary> summaries() {
        return summaries;
    }

    /** Null when the provider does not stand in this tree. Trees are small: looked for one by one. */
    public @Nullable ProviderSummary find(String providerUuid) {
        for (ProviderSummary summary : summaries) {
            if (summary.uuid().equals(providerUuid)) {
                return summary;
            }
        }
        return null;
    }

    /** Whether a request takes from no other tree than this. */
    public boolean holdsAllOf(AllocationRequest request) {
        for (String provider : request.allocations().keySet()) {
            if (!provider.equals(rootUuid) && find(provider) == null) {
                return false;
            }
        }
        return true;
    }

    /** What was kept with this state of the tree, and goes with it; null if nothing was. No part of its value. */
    public @Nullable Object derived() {
        return derived;
    }

    /** Replaces what was kept. Any thread may call. */
    public void keep(Object made) {
        derived = made;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ProviderTree that
                && (this == that || rootUuid.equals(that.rootUuid) && summaries.equals(that.summaries));
    }

    @Override
    public int hashCode() {
        return 31 * rootUuid.hashCode() + summaries.hashCode();
    }

    @Override
    public String toString() {
        return "ProviderTree[" + rootUuid + ", " + summaries + "]";
    }
}
