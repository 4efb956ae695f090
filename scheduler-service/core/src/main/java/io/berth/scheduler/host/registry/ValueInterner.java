package io.berth.scheduler.host.registry;

import jakarta.annotation.Nullable;
import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Interns values that thousands of hosts report alike, such as their topology and CPU model. A fixed table holds the
 * last value of each of {@value #PLACES} hash slots by a weak reference, so equal values are usually, not always, the
 * same object. Thread-safe.
 */
final class ValueInterner {
    private static final int PLACES = 4_096;
    /** The last value of each hash slot. */
    private static final AtomicReferenceArray<WeakReference<Object>> LAST = new AtomicReferenceArray<>(PLACES);

    private ValueInterner() {}

    /** Does the same for a value that may be null. */
    static <T> @Nullable T ofNullable(@Nullable T value) {
        return value == null ? null : of(value);
    }

    /** Returns the equal value in the table, or else stores and returns this one. */
    @SuppressWarnings("unchecked")
    static <T> T of(T value) {
        int place = (value.hashCode() * 0x9E3779B9 >>> 16) & (PLACES - 1);
        WeakReference<Object> last = LAST.get(place);
        Object known = last == null ? null : last.get();
        if (known != null && known.getClass() == value.getClass() && known.equals(value)) {
            return (T) known;
        }
        LAST.set(place, new WeakReference<>(value));
        return value;
    }
}
