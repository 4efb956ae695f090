package io.berth.scheduler.capacity;

import io.berth.scheduler.capacity.Split.Parts;
import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Counts how many instances of one request fit, where, and what stops the next one. Mutable, for one thread. */
final class Tally {
    private final int max;
    private final @Nullable Parts parts;
    private final Map<String, Long> binding = new HashMap<>();
    private List<String> warnings = List.of();
    private long count;
    private @Nullable String refused;
    private @Nullable String why;
    private boolean oneByOne;

    /** @param parts null if the count is not split */
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

    /** Stores the warnings about parts of the request that have no effect. */
    void warn(List<String> of) {
        warnings = of;
    }

    List<String> warnings() {
        return warnings;
    }

    /** Notes that the request ended as no valid host before any host was evaluated. */
    void refuse(String detail) {
        refused = detail;
    }

    /** Marks the count as incomplete. The first reason stays. */
    void cut(String reason) {
        why = why == null ? reason : why;
    }

    void placedOneByOne() {
        oneByOne = true;
    }

    /** Returns at most {@code max}. */
    long count() {
        return Math.min(count, max);
    }

    /** Returns whether more may fit than were counted. */
    boolean isCapped() {
        return count >= max;
    }

    /** Returns whether nothing fits and no reason is known. */
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

    /** Returns hosts by what stops the next one there, most hosts first. */
    Map<String, Long> binding() {
        Map<String, Long> sorted = new LinkedHashMap<>();
        binding.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .forEach(each -> sorted.put(each.getKey(), each.getValue()));
        return sorted;
    }
}
