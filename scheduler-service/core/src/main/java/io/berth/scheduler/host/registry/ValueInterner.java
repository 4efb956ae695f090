package io.berth.scheduler.host.registry;

import jakarta.annotation.Nullable;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Interns values that thousands of hosts report alike, such as their topology and CPU model. A fixed table holds the
 * last value of each of {@value #SLOTS} hash slots by a weak reference, so equal values are usually, not always, the
 * same object. Thread-safe.
 */
final class ValueInterner {
    private static final int SLOTS = 4_096;
    /** The last value of each hash slot. */
    private static final AtomicReferenceArray<WeakReference<Object>> LAST = new AtomicReferenceArray<>(SLOTS);

    private ValueInterner() {}

    /** Like {@link #of}; null for null. */
    static <T> @Nullable T ofNullable(@Nullable T value) {
        return value == null ? null : of(value);
    }

    /** Returns the equal value in the table, or else stores and returns this one. */
    @SuppressWarnings("unchecked")
    static <T> T of(T value) {
        int slot = (value.hashCode() * 0x9E3779B9 >>> 16) & (SLOTS - 1);
        WeakReference<Object> reference = LAST.get(slot);
        Object last = reference == null ? null : reference.get();
        if (last != null && last.getClass() == value.getClass() && last.equals(value)) {
            return (T) last;
        }
        LAST.set(slot, new WeakReference<>(value));
        return value;
    }
}
