package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/**
 * The scheduler hints of a request.
 *
 * @param values the values of each hint by its name
 */
public record SchedulerHints(Map<String, List<String>> values) {
    public static final SchedulerHints NONE = new SchedulerHints(Map.of());

    public SchedulerHints {
        values = Map.copyOf(values);
    }

    /** Returns all values of a hint; empty if the hint is absent. */
    public List<String> list(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns the value of a hint; null unless the hint has exactly one value. */
    public @Nullable String single(String name) {
        List<String> list = list(name);
        return list.size() == 1 ? list.getFirst() : null;
    }

    /** Returns the total number of characters of all values of all hints. */
    public long length() {
        return values.values().stream().flatMap(List::stream).mapToLong(String::length).sum();
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns whether the hint is absent, has no value, or has an empty text as its only value. */
    public boolean isEmpty(String name) {
        List<String> list = list(name);
        return list.isEmpty() || (list.size() == 1 && list.getFirst().isEmpty());
    }

    /**
     * Returns whether the request is nova's check for a rebuild: whether the instance's host is also suitable for a new
     * image.
     */
    public boolean asksForRebuildCheck() {
        return list("_nova_check_type").equals(List.of("rebuild"));
    }

    /**
     * Returns whether nova marks the request as a check. In such a request, forced hosts must pass the filters, too.
     */
    public boolean statesCheckType() {
        return !isEmpty("_nova_check_type");
    }
}
