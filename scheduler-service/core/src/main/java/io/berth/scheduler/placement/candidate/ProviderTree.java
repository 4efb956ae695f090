package io.berth.scheduler.placement.candidate;

import jakarta.annotation.Nullable;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * One state of a provider tree, as placement returned it. Immutable, except that a caller may attach an object that it
 * has derived from the tree ({@link #attachDerived}). All responses that contain the tree in this state share the
 * {@code ProviderTree}, and so the derived object.
 */
public final class ProviderTree {
    private static final WeakReference<ProviderTree> NOT_CHARGED = new WeakReference<>(null);

    private final String rootUuid;
    private final List<ProviderSummary> summaries;
    /** See {@link #derived}. */
    private volatile @Nullable Object derived;
    /**
     * The amounts that {@link #chargedWith} added to the used ones: provider uuid to resource class to amount. Empty
     * for a tree as placement returned it.
     */
    private final Map<String, Map<String, Long>> addedAmounts;
    private final int claims;
    /** The last result of {@link #chargedWith}. Weak, so that the result is freed when no request uses it any more. */
    private volatile WeakReference<ProviderTree> charged = NOT_CHARGED;

    /** @param summaries of all providers of the tree, in placement's order; empty if placement returned none */
    public ProviderTree(String rootUuid, List<ProviderSummary> summaries) {
        this(rootUuid, summaries, Map.of(), 0);
    }

    private ProviderTree(
            String rootUuid, List<ProviderSummary> summaries, Map<String, Map<String, Long>> addedAmounts, int claims) {
        this.rootUuid = Objects.requireNonNull(rootUuid, "rootUuid");
        this.summaries = Objects.requireNonNull(summaries, "summaries");
        this.addedAmounts = addedAmounts;
        this.claims = claims;
    }

    public String rootUuid() {
        return rootUuid;
    }

    public List<ProviderSummary> summaries() {
        return summaries;
    }

    /**
     * Returns the summary of a provider; null if the provider is not in this tree. Scans linearly, because trees are
     * small.
     */
    public @Nullable ProviderSummary find(String providerUuid) {
        for (ProviderSummary summary : summaries) {
            if (summary.uuid().equals(providerUuid)) {
                return summary;
            }
        }
        return null;
    }

    /**
     * Returns the tree with these amounts added to the used ones. Consecutive calls with equal arguments, as concurrent
     * requests make them, return the same object, so that the hosts of the tree are derived only once.
     *
     * @param amounts provider uuid to resource class to amount, for providers of this tree
     * @param claims number of claims that use these amounts
     */
    public ProviderTree chargedWith(Map<String, Map<String, Long>> amounts, int claims) {
        ProviderTree last = charged.get();
        if (last == null || last.claims != claims || !last.addedAmounts.equals(amounts)) {
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

    /** Returns the number of claims whose amounts were added; 0 for a tree as placement returned it. */
    public int claims() {
        return claims;
    }

    /** Returns whether all providers of an allocation request are in this tree. */
    public boolean holdsAllOf(AllocationRequest request) {
        for (String provider : request.allocations().keySet()) {
            if (!provider.equals(rootUuid) && find(provider) == null) {
                return false;
            }
        }
        return true;
    }

    /**
     * Returns the object that was attached with {@link #attachDerived}; null if there is none. Equals ignores this
     * object.
     */
    public @Nullable Object derived() {
        return derived;
    }

    /** Attaches an object that was derived from this state, and replaces an earlier one. Thread-safe. */
    public void attachDerived(Object object) {
        derived = object;
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
