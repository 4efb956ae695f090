package io.berth.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** A limit of bytes that may be held at the same time. Thread-safe. */
public final class Budget {
    private final LongSupplier max;
    private final AtomicLong taken = new AtomicLong();

    public Budget(long maxBytes) {
        this(() -> maxBytes);
    }

    /**
     * @param maxBytes returns the limit; called each time, because a native executable's heap differs from that of its
     *         build
     */
    public Budget(LongSupplier maxBytes) {
        this.max = maxBytes;
    }

    /** Reserves bytes. Returns false, and reserves nothing, if too little is left. Zero or less always succeeds. */
    public boolean take(long bytes) {
        for (long now = taken.get(); bytes <= 0 || now + bytes <= max(); now = taken.get()) {
            if (taken.compareAndSet(now, now + bytes)) {
                return true;
            }
        }
        return false;
    }

    public void giveBack(long bytes) {
        taken.addAndGet(-bytes);
    }

    public long max() {
        return max.getAsLong();
    }
}
