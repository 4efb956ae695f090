package io.berth.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Limits the bytes that are reserved at the same time. Thread-safe. */
public final class ByteBudget {
    private final LongSupplier max;
    private final AtomicLong reserved = new AtomicLong();

    public ByteBudget(long maxBytes) {
        this(() -> maxBytes);
    }

    /**
     * @param maxBytes returns the limit; called for each reservation, because an object of a native executable may be
     *         created at build time, when the heap has another size
     */
    public ByteBudget(LongSupplier maxBytes) {
        this.max = maxBytes;
    }

    /**
     * Reserves bytes. Returns false, and reserves nothing, if fewer than {@code bytes} are free. Zero always succeeds,
     * even beyond the limit.
     */
    public boolean reserve(long bytes) {
        for (long current = reserved.get(); bytes <= 0 || current + bytes <= max(); current = reserved.get()) {
            if (reserved.compareAndSet(current, current + bytes)) {
                return true;
            }
        }
        return false;
    }

    /** Releases reserved bytes. */
    public void release(long bytes) {
        reserved.addAndGet(-bytes);
    }

    /** Returns the limit in bytes. */
    public long max() {
        return max.getAsLong();
    }
}
