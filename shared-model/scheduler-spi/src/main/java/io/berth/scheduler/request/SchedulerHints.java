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

    /** The value of a hint that has exactly one; null if it is missing or has another number of them. */
    public @Nullable String single(String name) {
        List<String> list = list(name);
        return list.size() == 1 ? list.getFirst() : null;
    }

    /** Characters of all values. */
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

    /** Returns whether the caller only checks whether the hosts still suit another image. */
    public boolean asksForRebuildCheck() {
        return list("_nova_check_type").equals(List.of("rebuild"));
    }

    /** Returns whether the request comes from inside of nova, whose forced hosts do not skip the filters. */
    public boolean statesCheckType() {
        return !isEmpty("_nova_check_type");
    }
}
