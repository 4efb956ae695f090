package io.berth.scheduler.host;

import io.berth.scheduler.text.IntegerText;
import io.berth.scheduler.text.NumberText;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Reads metadata of all aggregates of a host. Keys are compared exactly.
 * <br>Source: nova {@code scheduler/filters/utils.py}.
 */
public final class AggregateMetadata {
    private static final Logger LOG = Logger.getLogger(AggregateMetadata.class);
    /** The pairs {@code key=value} for which a warning was logged. */
    private static final Set<String> WARNED = ConcurrentHashMap.newKeySet();

    /** Maximum number of warnings that a process logs; later invalid values are not logged. */
    private static final int WARNINGS_MAX = 1000;

    private AggregateMetadata() {}

    /** Returns the distinct values of a key; empty if no aggregate has the key. */
    public static Set<String> values(HostState host, String key) {
        if (host.aggregates().isEmpty()) {
            return Set.of();
        }
        var values = new LinkedHashSet<String>();
        for (HostAggregate aggregate : host.aggregates()) {
            String value = aggregate.metadata().get(key);
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    /**
     * Returns the distinct items of a key's values, which are lists separated by commas. Items are stripped; an empty
     * value is one empty item.
     */
    public static Set<String> items(HostState host, String key) {
        return items(host.aggregates(), key);
    }

    /** Returns the items of {@link #items(HostState, String)} for a host in these aggregates. */
    public static Set<String> items(List<HostAggregate> aggregates, String key) {
        var items = new LinkedHashSet<String>();
        for (HostAggregate aggregate : aggregates) {
            String value = aggregate.metadata().get(key);
            if (value != null) {
                addItems(value, items);
            }
        }
        return items;
    }

    /** Returns the distinct items of every key that an aggregate of the host has, by key. */
    public static Map<String, Set<String>> itemsByKey(HostState host) {
        if (host.aggregates().isEmpty()) {
            return Map.of();
        }
        var byKey = new LinkedHashMap<String, Set<String>>();
        for (HostAggregate aggregate : host.aggregates()) {
            aggregate.metadata().forEach(
                    (key, value) -> addItems(value, byKey.computeIfAbsent(key, _ -> new LinkedHashSet<>())));
        }
        return byKey;
    }

    /**
     * Returns the smallest value of a key; {@code configured} if no aggregate has the key, or if one of the values is
     * not an integer.
     */
    public static long integer(HostState host, String key, long configured) {
        Long smallest = findSmallest(host.aggregates(), key, IntegerText::parse);
        return smallest == null ? configured : smallest;
    }

    /**
     * Returns the smallest value of a key; {@code configured} if no aggregate has the key, or if one of the values is
     * not a number, or is NaN.
     */
    public static double decimal(HostState host, String key, double configured) {
        return decimal(host.aggregates(), key, configured);
    }

    /** Returns the number of {@link #decimal(HostState, String, double)} for a host in these aggregates. */
    public static double decimal(List<HostAggregate> aggregates, String key, double configured) {
        Double smallest = findSmallest(aggregates, key, text -> {
            Double number = NumberText.parse(text);
            return number == null || number.isNaN() ? null : number;
        });
        return smallest == null ? configured : smallest;
    }

    /** @param parse returns null for an invalid value; then the result is null, too */
    private static <T extends Comparable<T>> @Nullable T findSmallest(
            List<HostAggregate> aggregates, String key, Function<String, T> parse) {
        T smallest = null;
        for (HostAggregate aggregate : aggregates) {
            String value = aggregate.metadata().get(key);
            if (value == null) {
                continue;
            }
            T number = parse.apply(value);
            if (number == null) {
                warnOnce(aggregate, key, value);
                return null;
            }
            smallest = smallest == null || number.compareTo(smallest) < 0 ? number : smallest;
        }
        return smallest;
    }

    /** Logs an invalid value once. Otherwise every host and request would repeat the warning. */
    private static void warnOnce(HostAggregate aggregate, String key, String value) {
        if (WARNED.size() < WARNINGS_MAX && WARNED.add(key + '=' + value)) {
            LOG.warnf("an aggregate's number does not parse, the configured one is used; key=%s aggregate=%s value=%s",
                    key, aggregate.name(), value);
        }
    }

    /** Splits one value at its commas. Returns the stripped items in their order. */
    public static List<String> split(String value) {
        return Arrays.stream(value.split(",", -1)).map(String::strip).toList();
    }

    private static void addItems(String value, Set<String> items) {
        items.addAll(split(value));
    }
}
