package io.berth.scheduler.spi;

import io.berth.scheduler.text.Truncation;
import jakarta.annotation.Nullable;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The reason why a filter rejected a host: a code for statistics, and the compared values. The text is rendered only
 * when a response, record or log contains the reason.
 *
 * @param code lower-case words that are joined by underscores. A code has one meaning per filter and is stable.
 *         docs/explanations.md lists all codes
 * @param template the text for people, as a format of {@link String#format} with {@code values} as arguments
 * @param values the demanded value, the host's value, and then further values for the text. The first two are numbers,
 *         texts or collections; if nothing was compared, they may be absent
 * @param shortfall the amount by which the host fails the check, at least 0; comparable between hosts that the same
 *         filter rejected. Infinity if there is no such amount
 */
public record Reason(String code, String template, List<Object> values, double shortfall) {
    /**
     * Maximum number of elements of a collection in the text of a reason; further elements are omitted, because a
     * request may contain thousands of names, and the reason of each host would list them all.
     */
    public static final int ITEMS_SHOWN = 20;

    /** Maximum length of a value in the text of a reason, in characters; a longer one is cut. */
    private static final int CHARACTERS_SHOWN = 300;
    /** The unit of the demanded value and of the host's value, by code, for Berth's codes whose values are numbers. */
    private static final Map<String, String> UNITS = Map.ofEntries(
            Map.entry("vcpus", "vcpus"),
            Map.entry("vcpus_total", "vcpus"),
            Map.entry("vcpus_unknown", "vcpus"),
            Map.entry("ram", "MiB"),
            Map.entry("ram_total", "MiB"),
            Map.entry("disk", "MiB"),
            Map.entry("disk_total", "MiB"),
            Map.entry("instances", "instances"),
            Map.entry("group_here", "instances"),
            Map.entry("io_ops", "operations"),
            Map.entry("address_bits", "bits"),
            Map.entry("metric_missing", "metrics"),
            Map.entry("no_pci_data", "devices"),
            Map.entry("devices", "devices"),
            Map.entry("devices_unusable", "devices"),
            Map.entry("no_threads", "threads_per_core"),
            Map.entry("no_topology", "numa_cells"),
            Map.entry("no_candidate", "allocation_candidates"),
            Map.entry("numa_cells", "numa_cells"),
            Map.entry("numa_page_size", "KiB"),
            Map.entry("numa_pages", "KiB"),
            Map.entry("numa_page_multiple", "KiB"),
            Map.entry("numa_memory", "MiB"),
            Map.entry("numa_cpus", "cpus"),
            Map.entry("numa_cores", "cpus"),
            Map.entry("numa_cpu_limit", "cpus"),
            Map.entry("numa_ram_limit", "MiB"),
            Map.entry("numa_pci", "pci_requests"),
            Map.entry("numa_network", "networks"),
            Map.entry("numa_attempts", "assignments"));

    /** Returns a reason without a shortfall. */
    public static Reason of(String code, String template, Object... values) {
        return new Reason(code, template, List.of(values), Double.POSITIVE_INFINITY);
    }

    /** Returns whether the shortfall is smaller than the shortfall of another reason. */
    public boolean isNearerThan(Reason other) {
        return shortfall < other.shortfall;
    }

    /** Returns the demanded value: a number, a text or a collection; null if nothing was compared. */
    public @Nullable Object wanted() {
        return values.isEmpty() ? null : values.getFirst();
    }

    /** Returns the host's value, of the type of {@link #wanted}; null if nothing was compared. */
    public @Nullable Object had() {
        return values.size() < 2 ? null : values.get(1);
    }

    /** Returns the unit of {@link #wanted} and {@link #had}; null if they are not numbers, or their unit is unknown. */
    public @Nullable String unit() {
        return UNITS.get(code);
    }

    /** Returns the text for people, which is never empty. */
    public String render() {
        return String.format(Locale.ROOT, template, values.stream().map(Reason::formatArgument).toArray());
    }

    private static Object formatArgument(Object value) {
        return value instanceof Number || value instanceof Boolean ? value : shown(value);
    }

    /**
     * Returns a value as text, cut to {@value #CHARACTERS_SHOWN} characters and, if it is a collection, to {@value
     * #ITEMS_SHOWN} elements. An ellipsis marks the cut.
     */
    public static String shown(Object value) {
        if (value instanceof Collection<?> items) {
            String first = items.stream().limit(ITEMS_SHOWN).map(Reason::shown).collect(Collectors.joining(", "));
            return Truncation.of(items.size() > ITEMS_SHOWN ? first + ", …" : first, CHARACTERS_SHOWN);
        }
        return Truncation.of(String.valueOf(value), CHARACTERS_SHOWN);
    }
}
