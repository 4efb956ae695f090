package io.berth.scheduler.filter;

import io.berth.scheduler.text.NumberText;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The small language in which a flavor's extra spec states a condition on a value: {@code >= 4}, {@code <in> ssd},
 * {@code <or> a <or> b}. Without a known operator the whole text must equal the value.
 * <br>Source: nova {@code scheduler/filters/extra_specs_ops.py}.
 */
final class ExtraSpecOperators {
    enum Match {
        YES,
        NO,
        /** A side that should be a number is none, or an operator lacks what it needs. */
        UNUSABLE;

        static Match of(boolean holds) {
            return holds ? YES : NO;
        }
    }

    private static final Pattern BLANKS = Pattern.compile("(?U)\\s+");

    private ExtraSpecOperators() {}

    static Match match(String value, String requirement) {
        String trimmed = BLANKS.matcher(requirement).replaceAll(" ").strip();
        List<String> words = trimmed.isEmpty() ? List.of() : Arrays.asList(trimmed.split(" "));
        String operator = words.isEmpty() ? "" : words.getFirst();
        return switch (operator) {
            case "<or>" -> anyAlternative(value, words);
            case "<all-in>" -> words.size() < 2
                    ? Match.NO
                    : Match.of(words.stream().skip(1).allMatch(value::contains));
            case "=", "==", "!=", ">=", "<=" -> words.size() < 2 ? Match.NO : number(value, operator, words.get(1));
            case "s==", "s!=", "s<", "s<=", "s>", "s>=" -> words.size() < 2
                    ? Match.NO
                    : Match.of(text(value, operator, words.get(1)));
            case "<in>" -> Match.of(words.size() > 1 && value.contains(words.get(1)));
            default -> Match.of(value.equals(requirement));
        };
    }

    /** Every second word is an alternative; what stands between them is not looked at, as upstream. */
    private static Match anyAlternative(String value, List<String> words) {
        if (words.size() < 2) {
            return Match.UNUSABLE;
        }
        for (int i = 1; i < words.size(); i += 2) {
            if (words.get(i).equals(value)) {
                return Match.YES;
            }
        }
        return Match.NO;
    }

    private static Match number(String value, String operator, String word) {
        Double left = NumberText.parse(value);
        Double right = NumberText.parse(word);
        if (left == null || right == null) {
            return Match.UNUSABLE;
        }
        double a = left;
        double b = right;
        return Match.of(
                switch (operator) {
                    // Upstream's single sign means "at least".
                    case "=", ">=" -> a >= b;
                    case "==" -> a == b;
                    case "!=" -> a != b;
                    case "<=" -> a <= b;
                    default -> throw new IllegalStateException(operator);
                });
    }

    private static boolean text(String value, String operator, String word) {
        int order = Arrays.compare(value.codePoints().toArray(), word.codePoints().toArray());
        return switch (operator) {
            case "s==" -> order == 0;
            case "s!=" -> order != 0;
            case "s<" -> order < 0;
            case "s<=" -> order <= 0;
            case "s>" -> order > 0;
            case "s>=" -> order >= 0;
            default -> throw new IllegalStateException(operator);
        };
    }
}
