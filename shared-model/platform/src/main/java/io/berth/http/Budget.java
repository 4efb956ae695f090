package io.berth.http;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that may be held at a time. Any thread may take and give back. */
public final class Budget {
    private final long max;
    private final AtomicLong taken = new AtomicLong();

    public Budget(long maxBytes) {
        this.max = maxBytes;
    }

    /** False where so much is not left; then nothing is taken. Zero and less is always left. */
    public boolean take(long bytes) {
        for (long now = taken.get(); bytes <= 0 || now + bytes <= max; now = taken.get()) {
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
        return max;
    }
}
