package io.berth.scheduler.host.registry;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Shares equal values that thousands of hosts report, such as their topology and CPU model: equal values that arrive
 * one after the other become the same object. Holds only weak references, {@value #PLACES} at most, so equal values may
 * still be two objects. Thread-safe.
 */
final class Alike {
    private static final int PLACES = 4_096;
    /** The last value of each hash slot. */
    private static final AtomicReferenceArray<WeakReference<Object>> LAST = new AtomicReferenceArray<>(PLACES);

    private Alike() {}

    /** Returns an equal known value, or the value itself if none is known. Null for null. */
    @SuppressWarnings("unchecked")
    static <T> T of(T value) {
        if (value == null) {
            return null;
        }
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
