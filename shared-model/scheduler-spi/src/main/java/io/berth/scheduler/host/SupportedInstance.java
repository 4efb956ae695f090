package io.berth.scheduler.host;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * One kind of guest that a hypervisor runs.
 *
 * @param words architecture, hypervisor type and VM mode, in this order; filters only check whether a word occurs
 */
public record SupportedInstance(List<String> words) {
    private static final Map<List<SupportedInstance>, WeakReference<List<SupportedInstance>>> SHARED = new WeakHashMap<>();

    public SupportedInstance {
        words = List.copyOf(words);
    }

    /** Returns a text for people: {@code x86_64/kvm/hvm}. */
    @Override
    public String toString() {
        return String.join("/", words);
    }

    /**
     * Returns the same list object for equal lists. A result that depends only on the list is then computed once for
     * all hosts that run the same guests.
     */
    public static List<SupportedInstance> shared(List<SupportedInstance> kinds) {
        synchronized (SHARED) {
            WeakReference<List<SupportedInstance>> known = SHARED.get(kinds);
            List<SupportedInstance> same = known == null ? null : known.get();
            if (same != null) {
                return same;
            }
            SHARED.put(kinds, new WeakReference<>(kinds));
            return kinds;
        }
    }
}
