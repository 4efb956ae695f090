package io.berth.scheduler.host;

import java.util.List;

/**
 * One kind of guest that a hypervisor runs.
 *
 * @param words architecture, hypervisor type and VM mode, in this order; the filters only ask whether a word occurs
 */
public record SupportedInstance(List<String> words) {
    public SupportedInstance {
        words = List.copyOf(words);
    }
}
