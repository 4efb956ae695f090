package io.berth.scheduler.capacity;

import io.berth.scheduler.capacity.Split.Parts;
import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How many instances of one request fit, where, and what stops the next one. Mutable, for one thread. */
final class Tally {
    private final int max;
    private final @Nullable Parts parts;
    private final Map<String, Long> binding = new HashMap<>();
    private List<String> warnings = List.of();
    private long count;
    private @Nullable String refused;
    private @Nullable String why;
    private boolean oneByOne;

    /** @param parts null where nobody asks for them */
    Tally(int max, @Nullable Parts parts) {
        this.max = max;
        this.parts = parts;
    }

    void add(HostState host, long instances) {
        count += instances;
        if (parts != null && instances > 0) {
            parts.add(host, instances);
        }
    }

    /** @param by a resource class, a filter, or a member of the request */
    void stop(String by, long hosts) {
        if (hosts > 0) {
            binding.merge(by, hosts, Long::sum);
        }
    }

    /** What the request says without effect. */
    void warn(List<String> of) {
        warnings = of;
    }

    List<String> warnings() {
        return warnings;
    }

    /** It came to no valid host before any host was looked at. */
    void refuse(String detail) {
        refused = detail;
    }

    /** The count is what was found until then. The first reason stays. */
    void cut(String reason) {
        why = why == null ? reason : why;
    }

    void placedOneByOne() {
        oneByOne = true;
    }

    /** At most {@code max}. */
    long count() {
        return Math.min(count, max);
    }

    /** Returns whether more may fit than were counted. */
    boolean isCapped() {
        return count >= max;
    }

    /** Returns whether nothing fits, and nothing says why. */
    boolean isWithoutReason() {
        return count == 0 && binding.isEmpty() && why == null && refused == null;
    }

    boolean isComplete() {
        return why == null;
    }

    @Nullable String why() {
        return why;
    }

    @Nullable String refused() {
        return refused;
    }

    boolean isOneByOne() {
        return oneByOne;
    }

    @Nullable Parts parts() {
        return parts;
    }

    /** Hosts by what stops the next one there, most hosts first. */
    Map<String, Long> binding() {
        Map<String, Long> sorted = new LinkedHashMap<>();
        binding.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .forEach(each -> sorted.put(each.getKey(), each.getValue()));
        return sorted;
    }
}
