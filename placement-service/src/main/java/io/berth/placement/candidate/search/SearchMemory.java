package io.berth.placement.candidate.search;

/**
 * Bytes of the heap that may still be taken and kept: by one search, of which several are under way, or by all of a
 * question, of which there is one at a time. For one thread.
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

    /** Returns whether anything was asked for that was not left. */
    public boolean isSpent() {
        return left < 0;
    }
}
