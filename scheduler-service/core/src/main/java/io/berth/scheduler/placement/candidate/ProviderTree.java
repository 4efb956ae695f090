package io.berth.scheduler.placement.candidate;

import jakarta.annotation.Nullable;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One state of a provider tree, as placement told it. Immutable, and the same object in every answer that names the tree
 * in this state: so whatever was derived from it holds for them all.
 */
public final class ProviderTree {
    private static final WeakReference<ProviderTree> NOT_CHARGED = new WeakReference<>(null);

    private final String rootUuid;
    private final List<ProviderSummary> summaries;
    /** See {@link #derived}. */
    private volatile @Nullable Object derived;
    /** What is used besides what placement told; see {@link #chargedWith}. */
    private final Map<String, Map<String, Long>> besides;
    private final int claims;
    /** The one that was charged last. It lives as long as requests decide on it. */
    private volatile WeakReference<ProviderTree> charged = NOT_CHARGED;

    /** @param summaries of the tree's providers, in placement's order; empty if placement told nothing of it */
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

    /** Returns null when the provider does not stand in this tree. Trees are small: looked for one by one. */
    public @Nullable ProviderSummary find(String providerUuid) {
        for (ProviderSummary summary : summaries) {
            if (summary.uuid().equals(providerUuid)) {
                return summary;
            }
        }
        return null;
    }

    /**
     * The tree with these amounts used besides: the same object for all that ask for the same one after the other, as
     * requests of the same moment do, so that its hosts are made once.
     *
     * @param amounts provider uuid to resource class to amount, of providers of this tree
     * @param claims how many use them
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

    /** How many claims use what is used besides. */
    public int claims() {
        return claims;
    }

    /** Returns whether a request takes from no other tree than this. */
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
