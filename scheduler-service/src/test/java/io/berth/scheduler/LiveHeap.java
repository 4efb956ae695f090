package io.berth.scheduler;

/** Measures the live heap of this JVM. */
public final class LiveHeap {
    private static final int COLLECTIONS = 5;

    private LiveHeap() {}

    /** The lowest of several readings, each after a collection, because other threads may allocate meanwhile. */
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
