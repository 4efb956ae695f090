package io.berth.placement.candidate.search;

/**
 * A budget of heap: for one of several concurrent searches, or for all searches of an analysis job, which runs alone.
 * Not thread-safe.
 */
public final class SearchMemory {
    private static final int SHARE_OF_HEAP = 32;
    private static final int QUESTIONS_SHARE_OF_HEAP = 8;

    private long left;

    private SearchMemory(int shareOfHeap) {
        this.left = Runtime.getRuntime().maxMemory() / shareOfHeap;
    }

    /** Returns a budget for one of several concurrent searches. */
    public static SearchMemory ofOneSearch() {
        return new SearchMemory(SHARE_OF_HEAP);
    }

    /** Returns a budget for all searches of one analysis job together. */
    public static SearchMemory ofQuestion() {
        return new SearchMemory(QUESTIONS_SHARE_OF_HEAP);
    }

    /** Reserves memory. Returns false if too little is left; the results from then on are incomplete. */
    public boolean take(long bytes) {
        left -= bytes;
        return left >= 0;
    }

    /** Returns whether any request for memory was refused. */
    public boolean isSpent() {
        return left < 0;
    }
}
