package io.berth.scheduler.placement.candidate;

import jakarta.annotation.Nullable;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One state of a provider tree, as placement returned it. Immutable. All responses that name the tree in this state
 * share the object, so that data derived from it is valid for all of them.
 */
public final class ProviderTree {
    private static final WeakReference<ProviderTree> NOT_CHARGED = new WeakReference<>(null);

    private final String rootUuid;
    private final List<ProviderSummary> summaries;
    /** See {@link #derived}. */
    private volatile @Nullable Object derived;
    /** Amounts used in addition to those that placement returned; see {@link #chargedWith}. */
    private final Map<String, Map<String, Long>> besides;
    private final int claims;
    /** The last result of {@link #chargedWith}. It lives as long as requests decide on it. */
    private volatile WeakReference<ProviderTree> charged = NOT_CHARGED;

    /** @param summaries of the tree's providers, in placement's order; empty if placement returned none */
    public ProviderTree(String rootUuid, List<ProviderSummary> summaries) {
        this(rootUuid, summaries, Map.of(), 0);
    }

    private ProviderTree(
            String rootUuid, List<ProviderSummary> summaries, Map<String, Map<String, Long>> besides, int claims) {
        this.rootUuid = Objects.requireNonNull(rootUuid, "rootUuid");
        this.summaries = Objects.requireNonNull(summaries, "summaries");
        this.besides = besides;
        this.claims = claims;
    }

    public String rootUuid() {
        return rootUuid;
    }

    public List<ProviderSummary> summaries() {
        return summaries;
    }

    /** Returns null if the provider is not in this tree. Scans linearly, because trees are small. */
    public @Nullable ProviderSummary find(String providerUuid) {
        for (ProviderSummary summary : summaries) {
            if (summary.uuid().equals(providerUuid)) {
                return summary;
            }
        }
        return null;
    }

    /**
     * Returns the tree with these amounts used in addition. Consecutive calls with the same amounts, as concurrent
     * requests make them, return the same object, so that the hosts of the tree are created once.
     *
     * @param amounts provider uuid to resource class to amount, of providers of this tree
     * @param claims number of claims that use them
     */
    public ProviderTree chargedWith(Map<String, Map<String, Long>> amounts, int claims) {
        ProviderTree last = charged.get();
        if (last == null || last.claims != claims || !last.besides.equals(amounts)) {
            List<ProviderSummary> now = summaries.stream()
                    .map(summary -> amounts.containsKey(summary.uuid())
                            ? summary.chargedWith(amounts.get(summary.uuid()))
                            : summary)
                    .toList();
            last = new ProviderTree(rootUuid, now, amounts, claims);
            charged = new WeakReference<>(last);
        }
        return last;
    }

    /** Returns the number of claims that use the additional amounts. */
    public int claims() {
        return claims;
    }

    /** Returns whether all providers of the request are in this tree. */
    public boolean holdsAllOf(AllocationRequest request) {
        for (String provider : request.allocations().keySet()) {
            if (!provider.equals(rootUuid) && find(provider) == null) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the object that was kept with this state of the tree; null if there is none. It does not count for
     * equality.
     */
    public @Nullable Object derived() {
        return derived;
    }

    /** Replaces the kept object. Thread-safe. */
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
