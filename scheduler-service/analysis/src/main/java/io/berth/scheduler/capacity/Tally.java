package io.berth.scheduler.capacity;

import io.berth.scheduler.capacity.Split.Parts;
import io.berth.scheduler.host.HostState;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The count of one request: how many instances fit, on which hosts, and what prevents a further one. Mutable, for one
 * thread.
 */
final class Tally {
    private final int max;
    private final @Nullable Parts parts;
    /** The number of hosts by the name of what prevents a further instance on them, see {@link #addObstacle}. */
    private final Map<String, Long> binding = new HashMap<>();
    private List<String> warnings = List.of();
    private long count;
    private @Nullable String refusal;
    private @Nullable String whyIncomplete;
    private boolean isOneByOne;

    /**
     * @param max the number of instances at which counting ends
     * @param parts receives the counts by zone, aggregate, cell or host; null: the count is not split
     */
    Tally(int max, @Nullable Parts parts) {
        this.max = max;
        this.parts = parts;
    }

    /** Adds instances that fit on a host. Only {@link #count} is limited to the maximum; the parts are not. */
    void add(HostState host, long instances) {
        count += instances;
        if (parts != null && instances > 0) {
            parts.add(host, instances);
        }
    }

    /**
     * Adds hosts on which the next instance does not fit; does nothing for 0 hosts.
     *
     * @param by what prevents the instance: a resource class or another demand of the query to placement, the name of a
     * filter, or a member of the request
     * @param hosts number of hosts; for a demand of the query, the number of provider trees
     */
    void addObstacle(String by, long hosts) {
        if (hosts > 0) {
            binding.merge(by, hosts, Long::sum);
        }
    }

    /** Sets the warnings about parts of the request that have no effect. */
    void setWarnings(List<String> all) {
        warnings = all;
    }

    List<String> warnings() {
        return warnings;
    }

    /** Notes the error of a request that is invalid, or is known to find no host before any host is evaluated. */
    void refuse(String detail) {
        refusal = detail;
    }

    /** Marks the count as incomplete. Keeps the reason of the first call. */
    void markIncomplete(String reason) {
        whyIncomplete = whyIncomplete == null ? reason : whyIncomplete;
    }

    /** Notes that {@link SequentialCounting} counts, by placing one instance after the other. */
    void markOneByOne() {
        isOneByOne = true;
    }

    /** Returns the number of instances that fit, at most the maximum. */
    long count() {
        return Math.min(count, max);
    }

    /** Returns whether counting ended at the maximum, so that more instances may fit. */
    boolean isCapped() {
        return count >= max;
    }

    /** Returns whether nothing fits, no reason is known, and the count is complete. */
    boolean isWithoutReason() {
        return count == 0 && binding.isEmpty() && whyIncomplete == null && refusal == null;
    }

    boolean isComplete() {
        return whyIncomplete == null;
    }

    /** Returns why the count is incomplete; null if it is complete. */
    @Nullable String whyIncomplete() {
        return whyIncomplete;
    }

    /** Returns the error that {@link #refuse} noted; null if there is none. */
    @Nullable String refusal() {
        return refusal;
    }

    boolean isOneByOne() {
        return isOneByOne;
    }

    @Nullable Parts parts() {
        return parts;
    }

    /** Returns what prevents a further instance, with the number of hosts on which it does; most hosts first. */
    Map<String, Long> binding() {
        Map<String, Long> sorted = new LinkedHashMap<>();
        binding.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey()))
                .forEach(each -> sorted.put(each.getKey(), each.getValue()));
        return sorted;
    }
}
