package io.berth.deploy.checks.reference;

import io.berth.scheduler.config.OptionSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Generates {@code options.md}, which lists nova's options that Berth reads and every key of both services. */
final class OptionsPage {
    private static final Map<String, String> READERS = Map.of(
            "both", "Keys of both services",
            "placement", "Keys of placement-service",
            "scheduler", "Keys of scheduler-service");

    private OptionsPage() {}

    static Page of(Sources sources) {
        List<String> paragraphs = new ArrayList<>(List.of(
                "# Options",
                """
                [Configuration](../configuration.md) describes how files, environment and command line go together.
                `GET /v1/options` of the scheduler returns the values of the running service, and where each was set.""",
                "# Nova's options",
                """
                Berth reads each option from `nova.conf` (`berth.nova-conf`), or from its own key: `[%s] %s` is
                `%s`, and in the environment `%s`."""
                        .formatted(
                                "filter_scheduler", "max_instances_per_host",
                                OptionSource.key("filter_scheduler", "max_instances_per_host"),
                                "BERTH_SCHEDULER_FILTER_SCHEDULER_MAX_INSTANCES_PER_HOST")));
        Map<String, List<List<String>>> groups = new LinkedHashMap<>();
        for (NovaOption option : NovaOption.all(sources)) {
            groups.computeIfAbsent(option.group(), _ -> new ArrayList<>()).add(row(option));
        }
        groups.forEach((group, rows) -> {
            paragraphs.add("## [" + group + "]");
            paragraphs.add(Page.table(List.of("option", "type", "default", "description"), rows));
        });
        paragraphs.add("# Berth's own keys");
        paragraphs.add("""
                In the environment `berth.body-size-max` is `BERTH_BODY_SIZE_MAX`. A duration is `30S`, `5M` or `PT1M30S`; bytes
                are `4M` or `512K`.""");
        Map<String, List<List<String>>> readers = new LinkedHashMap<>();
        for (DeclaredKey key : DeclaredKey.all(sources)) {
            readers.computeIfAbsent(READERS.get(key.reader()), _ -> new ArrayList<>()).add(row(key));
        }
        readers.forEach((reader, rows) -> {
            paragraphs.add("## " + reader);
            paragraphs.add(Page.table(List.of("key", "type", "default", "description"), rows));
        });
        return Page.of("options.md", paragraphs.toArray(String[]::new));
    }

    private static List<String> row(NovaOption option) {
        String older = option.older().isEmpty()
                ? ""
                : " Older name: " + String.join(", ", option.older().stream()
                        .map(name -> Page.code("[DEFAULT] " + name)).toList()) + ".";
        return List.of(
                Page.code(option.name()),
                option.type() + (option.range().isEmpty() ? "" : ", " + option.range()),
                Page.code(option.byDefault()),
                option.text().isEmpty() ? "" : Page.sentence(option.text()) + older);
    }

    private static List<String> row(DeclaredKey key) {
        return List.of(Page.code(key.key()), key.type(), Page.code(key.byDefault()), Page.sentence(key.text()));
    }
}
