package io.berth.scheduler.heap;

import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Divides the half of the heap that data on hosts may take. All registered records stay in memory; placement's trees
 * get the rest, since they can be queried again. Requests and the service itself use the other half. Bytes are
 * estimates. Thread-safe.
 */
@Singleton
public class FleetHeap {
    private static final Logger LOG = Logger.getLogger(FleetHeap.class);
    /** The divisor for the minimum part of the heap for trees: those of a few decisions at once. */
    private static final int TREES_PART_MIN = 32;
    /** The divisor for the maximum part. */
    private static final int TREES_PART_MAX = 4;

    private final long heapBytes;
    private volatile long registeredBytes;
    private volatile boolean isTooLarge;

    FleetHeap() {
        this(Runtime.getRuntime().maxMemory());
    }

    /** @param heapBytes the maximum size of the heap */
    public FleetHeap(long heapBytes) {
        this.heapBytes = heapBytes;
    }

    /** Sets the bytes of registered records. Logs an error if they leave too little for the rest. */
    public void registered(long bytes) {
        registeredBytes = bytes;
        boolean leavesTooLittle = bytes > fleetBytes() - heapBytes / TREES_PART_MIN;
        if (leavesTooLittle && !isTooLarge) {
            LOG.errorf(
                    "the registered hosts and instances are too many for this heap registered_mb=%d heap_mb=%d: the"
                            + " scheduler gets slow and may end for want of memory. Give it a larger heap,"
                            + " -Xmx%dm or more (BERTH_JAVA_OPTS)",
                    bytes >> 20, heapBytes >> 20, 4 * bytes >> 20);
        }
        isTooLarge = leavesTooLittle;
    }

    private long fleetBytes() {
        return heapBytes / 2;
    }

    /** Returns the maximum bytes for placement's trees. */
    public long treeBytesMax() {
        return Math.clamp(fleetBytes() - registeredBytes, heapBytes / TREES_PART_MIN, heapBytes / TREES_PART_MAX);
    }
}
