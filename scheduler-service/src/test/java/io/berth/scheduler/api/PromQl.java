package io.berth.scheduler.api;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The metrics and labels that a PromQL query names. */
record PromQl(List<Selector> selectors, Set<String> groupedBy) {
    private static final Pattern GROUPING = Pattern.compile("\\b(?:by|without|on|ignoring)\\s*\\(([^)]*)\\)");
    private static final Pattern RANGE = Pattern.compile("\\[[^]]*]");
    private static final Pattern NAME =
            Pattern.compile("(?<![\\w.])([a-zA-Z_:][a-zA-Z0-9_:]*)\\s*(\\(|\\{[^}]*})?");
    private static final Pattern MATCHER = Pattern.compile("([a-zA-Z_]\\w*)\\s*(=~|!~|!=|=)\\s*\"([^\"]*)\"");
    private static final Set<String> WORDS = Set.of("and", "or", "unless", "bool");

    /**
     * @param equal the labels that must have a certain value, with that value
     * @param labels all labels that the selector names
     */
    record Selector(String metric, Map<String, String> equal, Set<String> labels) {}

    static PromQl parse(String query) {
        Set<String> grouped = new TreeSet<>();
        GROUPING.matcher(query).results()
                .forEach(list -> List.of(list.group(1).split(",")).forEach(label -> grouped.add(label.strip())));
        String rest = RANGE.matcher(GROUPING.matcher(query).replaceAll(" ")).replaceAll(" ");
        List<Selector> selectors = new ArrayList<>();
        NAME.matcher(rest).results()
                .filter(name -> !"(".equals(name.group(2)) && !WORDS.contains(name.group(1)))
                .forEach(name -> selectors.add(selector(name)));
        return new PromQl(selectors, grouped);
    }

    private static Selector selector(MatchResult name) {
        Map<String, String> equal = new LinkedHashMap<>();
        Set<String> labels = new TreeSet<>();
        MATCHER.matcher(name.group(2) == null ? "" : name.group(2)).results().forEach(matcher -> {
            labels.add(matcher.group(1));
            if (matcher.group(2).equals("=")) {
                equal.put(matcher.group(1), matcher.group(3));
            }
        });
        return new Selector(name.group(1), equal, labels);
    }
}
