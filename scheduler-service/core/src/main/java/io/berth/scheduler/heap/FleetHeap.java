package io.berth.scheduler.heap;

import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * The part of the heap that what is known of hosts may take together: half of it. What is registered is needed whole;
 * placement's trees get what is left beside it, since they can be asked for again. What requests and the service itself
 * take is in the rest. Bytes are reckoned. Any thread may call.
 */
@Singleton
public class FleetHeap {
    private static final Logger LOG = Logger.getLogger(FleetHeap.class);
    /** Least part of the heap for trees: those of a few decisions at once. */
    private static final int TREES_PART_MIN = 32;
    /** Most of it. */
    private static final int TREES_PART_MAX = 4;

    private final long heapBytes;
    private volatile long registeredBytes;
    private volatile boolean isTooLarge;

    FleetHeap() {
        this(Runtime.getRuntime().maxMemory());
    }

    /** @param heapBytes the most that the heap grows to */
    public FleetHeap(long heapBytes) {
        this.heapBytes = heapBytes;
    }

    /** What is registered takes so much now. An error in the log where that leaves too little for the rest. */
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

    /** What the trees of placement may take beside that. */
    public long treeBytesMax() {
        return Math.clamp(fleetBytes() - registeredBytes, heapBytes / TREES_PART_MIN, heapBytes / TREES_PART_MAX);
    }
}
