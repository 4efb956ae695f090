package io.berth.scheduler.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Metrics scraped from the services.
 *
 * @param samples the label sets of each metric
 * @param comments the text of each comment, by {@code HELP} or {@code TYPE} and the name of the family
 */
record Scrape(Map<String, List<Map<String, String>>> samples, Map<String, String> comments) {
    private static final Pattern COMMENT = Pattern.compile("# ((?:HELP|TYPE) \\S+) (.*)");
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\\{(.*)})? (\\S+)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern PART = Pattern.compile("_(bucket|count|sum|max)$");

    /** @param texts in Prometheus' text format, one of each service */
    static Scrape of(String... texts) {
        Map<String, List<Map<String, String>>> samples = new TreeMap<>();
        Map<String, String> comments = new TreeMap<>();
        for (String text : texts) {
            text.lines().filter(line -> !line.startsWith("#")).map(SAMPLE::matcher).filter(Matcher::matches)
                    .forEach(sample -> samples.computeIfAbsent(sample.group(1), name -> new ArrayList<>())
                            .add(labels(sample.group(2))));
            text.lines().map(COMMENT::matcher).filter(Matcher::matches)
                    .forEach(comment -> comments.put(comment.group(1), comment.group(2)));
        }
        return new Scrape(samples, comments);
    }

    private static Map<String, String> labels(String text) {
        Map<String, String> labels = new LinkedHashMap<>();
        LABEL.matcher(text == null ? "" : text).results().forEach(label -> labels.put(label.group(1), label.group(2)));
        return labels;
    }

    Set<String> labelsOf(String metric) {
        Set<String> names = new TreeSet<>();
        samples.getOrDefault(metric, List.of()).forEach(labels -> names.addAll(labels.keySet()));
        return names;
    }

    Set<String> valuesOf(String metric, String label) {
        Set<String> values = new TreeSet<>();
        samples.getOrDefault(metric, List.of()).forEach(labels -> values.add(labels.getOrDefault(label, "")));
        return values;
    }

    /** The labels of Berth's own metrics, by name without the suffixes of durations and distributions. */
    Map<String, Set<String>> families() {
        Map<String, Set<String>> families = new TreeMap<>();
        for (String name : samples.keySet()) {
            if (name.startsWith("berth_")) {
                Set<String> labels =
                        families.computeIfAbsent(PART.matcher(name).replaceAll(""), made -> new TreeSet<>());
                labels.addAll(labelsOf(name));
                labels.remove("le");
            }
        }
        return families;
    }
}
