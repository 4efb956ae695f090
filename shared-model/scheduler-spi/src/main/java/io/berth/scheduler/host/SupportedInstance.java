package io.berth.scheduler.host;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * A kind of guest that a hypervisor can run.
 *
 * @param words architecture, hypervisor type and VM mode, in this order; filters only check whether a word occurs
 */
public record SupportedInstance(List<String> words) {
    /** The lists that {@link #interned} returned. Weak references let lists that no host uses be collected. */
    private static final Map<List<SupportedInstance>, WeakReference<List<SupportedInstance>>> INTERNED =
            new WeakHashMap<>();

    public SupportedInstance {
        words = List.copyOf(words);
    }

    /** Returns the words for people, such as {@code x86_64/kvm/hvm}. */
    @Override
    public String toString() {
        return String.join("/", words);
    }

    /**
     * Returns the same list object for equal lists, so that callers can cache a result by the identity of the list for
     * all hosts with the same guests. Thread-safe.
     */
    public static List<SupportedInstance> interned(List<SupportedInstance> kinds) {
        synchronized (INTERNED) {
            WeakReference<List<SupportedInstance>> reference = INTERNED.get(kinds);
            List<SupportedInstance> internedKinds = reference == null ? null : reference.get();
            if (internedKinds != null) {
                return internedKinds;
            }
            INTERNED.put(kinds, new WeakReference<>(kinds));
            return kinds;
        }
    }
}
