package io.berth.scheduler.api;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/** Generates {@code docs/reference/metrics.md} from the metrics of the running services. */
final class MetricsPage {
    private static final String HEAD = """
            <!-- Written from the running services by MetricsIT; see CONTRIBUTING.md. -->

            # Metrics

            `/q/metrics` of both services, for Prometheus. Every label is from a closed set. A `histogram` or a `summary` comes as
            `_count`, `_sum` and `_max`, a histogram as `_bucket` too. [What to look at](../observability.md).

            The libraries' own metrics (`jvm_*`, `process_*`, `system_*`) are there, too. A native executable lacks those of garbage
            collections: `jvm_gc_pause_seconds`, `jvm_gc_concurrent_phase_time_seconds`, `jvm_gc_memory_allocated_bytes_total`,
            `jvm_gc_memory_promoted_bytes_total`, `jvm_gc_live_data_size_bytes`, `jvm_gc_max_data_size_bytes`.

            | metric | type | labels | of | means |
            |---|---|---|---|---|
            """;

    private MetricsPage() {}

    static String of(Scrape scheduler, Scrape placement) {
        StringBuilder page = new StringBuilder(HEAD);
        Map<String, Set<String>> ofScheduler = scheduler.families();
        Map<String, Set<String>> ofPlacement = placement.families();
        Set<String> names = new TreeSet<>(ofScheduler.keySet());
        names.addAll(ofPlacement.keySet());
        for (String name : names) {
            boolean both = ofScheduler.containsKey(name) && ofPlacement.containsKey(name);
            Scrape scrape = ofScheduler.containsKey(name) ? scheduler : placement;
            Set<String> labels = scrape.families().get(name);
            page.append("| `%s` | %s | %s | %s | %s |\n".formatted(
                    name, comment(scrape, "TYPE", name), String.join(", ", labels),
                    both ? "both" : scrape == scheduler ? "scheduler" : "placement",
                    comment(scrape, "HELP", name)));
        }
        return page.toString();
    }

    /** The comments of counters are under the name without its suffix. */
    private static String comment(Scrape scrape, String what, String name) {
        String counted = scrape.comments().get(what + " " + name.replaceFirst("_total$", ""));
        return Objects.requireNonNull(scrape.comments().getOrDefault(what + " " + name, counted), name);
    }
}
