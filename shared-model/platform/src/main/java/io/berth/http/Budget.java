package io.berth.http;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** Bytes that may be held at a time. Any thread may take and give back. */
public final class Budget {
    private final LongSupplier max;
    private final AtomicLong taken = new AtomicLong();

    public Budget(long maxBytes) {
        this(() -> maxBytes);
    }

    /** @param maxBytes asked each time: what a native build makes runs in another heap */
    public Budget(LongSupplier maxBytes) {
        this.max = maxBytes;
    }

    /** False where so much is not left; then nothing is taken. Zero and less is always left. */
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
