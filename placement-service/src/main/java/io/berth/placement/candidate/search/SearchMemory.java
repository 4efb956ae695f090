package io.berth.placement.candidate.search;

/**
 * The heap that may still be reserved: by one of several concurrent searches, or by all searches of an analysis job,
 * which runs alone. For one thread.
 */
public final class SearchMemory {
    private static final int SHARE_OF_HEAP = 32;
    private static final int QUESTIONS_SHARE_OF_HEAP = 8;

    private long left;

    private SearchMemory(int shareOfHeap) {
        this.left = Runtime.getRuntime().maxMemory() / shareOfHeap;
    }

    public static SearchMemory ofOneSearch() {
        return new SearchMemory(SHARE_OF_HEAP);
    }

    /** Returns the memory of all searches of one analysis together. */
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
