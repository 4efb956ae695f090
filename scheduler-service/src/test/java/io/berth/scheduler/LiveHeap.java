package io.berth.scheduler;

/** What of this JVM's heap is alive. */
public final class LiveHeap {
    private static final int COLLECTIONS = 5;

    private LiveHeap() {}

    /** The least of several collections, as others may allocate meanwhile. */
    public static long bytes() throws InterruptedException {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
            Thread.sleep(50);
            least = Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }
}
