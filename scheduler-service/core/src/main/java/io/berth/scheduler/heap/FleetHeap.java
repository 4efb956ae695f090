package io.berth.scheduler.heap;

import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * Divides half of the heap between the registry and the cache of placement's provider trees. The registry holds all
 * registered records; the trees get the remaining bytes, but at least 1/32 and at most 1/4 of the heap, because evicted
 * trees can be queried again. Requests and the service itself use the other half. Bytes are estimates. Thread-safe.
 */
@Singleton
public class FleetHeap {
    private static final Logger LOG = Logger.getLogger(FleetHeap.class);
    /** The trees may always use 1/32 of the heap, whatever the registry uses: enough for a few concurrent decisions. */
    private static final int TREES_DIVISOR_MIN = 32;
    /** The trees use at most 1/4 of the heap. */
    private static final int TREES_DIVISOR_MAX = 4;

    private final long heapBytes;
    private volatile long registeredBytes;
    /** True if the registry left too little at the last call. The error is logged only when this becomes true. */
    private volatile boolean isRegistryTooLarge;

    FleetHeap() {
        this(Runtime.getRuntime().maxMemory());
    }

    /** @param heapBytes maximum size of the JVM's heap */
    public FleetHeap(long heapBytes) {
        this.heapBytes = heapBytes;
    }

    /**
     * Sets the bytes of all registered records. Logs an error when they begin to leave less than 1/32 of the heap for
     * the trees.
     */
    public void setRegisteredBytes(long bytes) {
        registeredBytes = bytes;
        boolean leavesTooLittle = bytes > fleetBytes() - heapBytes / TREES_DIVISOR_MIN;
        if (leavesTooLittle && !isRegistryTooLarge) {
            LOG.errorf(
                    "the registered hosts and instances need too much of the heap registered_mb=%d heap_mb=%d: the"
                            + " scheduler becomes slow and may run out of memory. Increase the heap to -Xmx%dm or"
                            + " more (BERTH_JAVA_OPTS)",
                    bytes >> 20, heapBytes >> 20, 4 * bytes >> 20);
        }
        isRegistryTooLarge = leavesTooLittle;
    }

    private long fleetBytes() {
        return heapBytes / 2;
    }

    /** Returns the maximum bytes for placement's trees. */
    public long treeBytesMax() {
        return Math.clamp(fleetBytes() - registeredBytes, heapBytes / TREES_DIVISOR_MIN, heapBytes / TREES_DIVISOR_MAX);
    }
}
