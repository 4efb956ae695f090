package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Map;

/** Hints of the user by name, each a list of texts. */
public record SchedulerHints(Map<String, List<String>> values) {
    public static final SchedulerHints NONE = new SchedulerHints(Map.of());

    public SchedulerHints {
        values = Map.copyOf(values);
    }

    /** Returns all values of a hint; empty if it is missing. */
    public List<String> list(String name) {
        return values.getOrDefault(name, List.of());
    }

    /** Returns the value of a hint that has exactly one; null if it is missing or has another number of values. */
    public @Nullable String single(String name) {
        List<String> list = list(name);
        return list.size() == 1 ? list.getFirst() : null;
    }

    /** Returns the number of characters of all values together. */
    public long length() {
        return values.values().stream().flatMap(List::stream).mapToLong(String::length).sum();
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns whether the hint is missing, or has no value but an empty text. */
    public boolean isEmpty(String name) {
        List<String> list = list(name);
        return list.isEmpty() || (list.size() == 1 && list.getFirst().isEmpty());
    }

    /** Returns whether nova only checks if the instance's host also suits another image, for a rebuild. */
    public boolean asksForRebuildCheck() {
        return list("_nova_check_type").equals(List.of("rebuild"));
    }

    /**
     * Returns whether nova marks the request as a check of its own. In such a request forced hosts do not skip the
     * filters.
     */
    public boolean statesCheckType() {
        return !isEmpty("_nova_check_type");
    }
}
