package io.berth.scheduler.host.registry;

import java.lang.ref.WeakReference;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What thousands of hosts report alike, as their topology and the model of their CPU, is held once: equal values that come
 * one after the other become the same object. Holds nothing alive, and never more than {@value #PLACES} references, so
 * values that are equal may be two objects nevertheless. Any thread may call.
 */
final class Alike {
    private static final int PLACES = 4_096;
    /** By hash: the value that came last. */
    private static final AtomicReferenceArray<WeakReference<Object>> LAST = new AtomicReferenceArray<>(PLACES);

    private Alike() {}

    /** One that is equal; itself if none is known. Null for null. */
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
