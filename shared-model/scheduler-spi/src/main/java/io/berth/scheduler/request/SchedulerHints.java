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

    /** Returns the value of a hint that has exactly one; null otherwise. */
    public @Nullable String single(String name) {
        List<String> list = list(name);
        return list.size() == 1 ? list.getFirst() : null;
    }

    /** Returns the characters of all values. */
    public long length() {
        return values.values().stream().flatMap(List::stream).mapToLong(String::length).sum();
    }

    public boolean has(String name) {
        return values.containsKey(name);
    }

    /** Returns whether the hint is missing, or its only value is an empty text. */
    public boolean isEmpty(String name) {
        List<String> list = list(name);
        return list.isEmpty() || (list.size() == 1 && list.getFirst().isEmpty());
    }

    /** Returns whether the caller only checks if the hosts still suit another image. */
    public boolean asksForRebuildCheck() {
        return list("_nova_check_type").equals(List.of("rebuild"));
    }

    /** Returns whether the request comes from within nova, in which case forced hosts do not skip the filters. */
    public boolean statesCheckType() {
        return !isEmpty("_nova_check_type");
    }
}
