package io.berth.placement.candidate.search;

/** A budget of heap memory for searches. Not thread-safe. */
public final class SearchMemory {
    /** One of several concurrent searches may take this fraction of the heap: 1/{@value}. */
    private static final int SHARE_OF_HEAP = 32;
    /** All searches of an analysis job, of which one runs at a time, may take this fraction of the heap: 1/{@value}. */
    private static final int ANALYSIS_SHARE_OF_HEAP = 8;

    private long freeBytes;

    private SearchMemory(int shareOfHeap) {
        this.freeBytes = Runtime.getRuntime().maxMemory() / shareOfHeap;
    }

    /** Returns a budget for one of several concurrent searches. */
    public static SearchMemory ofOneSearch() {
        return new SearchMemory(SHARE_OF_HEAP);
    }

    /** Returns a budget for all searches of one analysis job together. */
    public static SearchMemory ofAnalysisJob() {
        return new SearchMemory(ANALYSIS_SHARE_OF_HEAP);
    }

    /**
     * Reserves memory. Returns false if the budget is exceeded; the caller then omits what needs the memory, so that
     * the results of the search are incomplete. A caller may ignore the result and check {@link #isSpent} later.
     * Reserved memory is never released.
     */
    public boolean reserve(long bytes) {
        freeBytes -= bytes;
        return freeBytes >= 0;
    }

    /** Returns whether the budget has been exceeded. */
    public boolean isSpent() {
        return freeBytes < 0;
    }
}
