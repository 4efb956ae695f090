package io.berth.deploy.checks.words;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A word that is not used any more, one line of {@code words/retired.txt}: {@code WORD | ADVICE | PLACE=COUNT ...}.
 *
 * @param pattern matches the whole word, also with a capital first letter
 * @param advice what to write instead
 * @param allowed how often each place may still have it; a place that is not named may not have it at all
 */
record RetiredWord(Pattern pattern, String advice, Map<String, Integer> allowed) {
    static List<RetiredWord> parse(String text) {
        return text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).map(RetiredWord::parseLine)
                .toList();
    }

    private static RetiredWord parseLine(String line) {
        String[] columns = line.split("\\|", -1);
        Map<String, Integer> allowed = new HashMap<>();
        for (String each : columns[2].strip().split("\\s+")) {
            if (!each.isEmpty()) {
                String[] pair = each.split("=");
                allowed.put(pair[0], Integer.parseInt(pair[1]));
            }
        }
        return new RetiredWord(pattern(columns[0].strip()), columns[1].strip(), Map.copyOf(allowed));
    }

    /** Forms of a word are separated by a slash, because a bar separates the columns. */
    private static Pattern pattern(String forms) {
        return Pattern.compile(Stream.of(forms.split("/"))
                .map(form -> "[" + Character.toUpperCase(form.charAt(0)) + form.charAt(0) + "]" + form.substring(1))
                .collect(Collectors.joining("|", "\\b(?:", ")\\b")));
    }

    int allowedIn(Place place) {
        return allowed.getOrDefault(place.label(), 0);
    }
}
