package io.berth.scheduler.filter;

import io.berth.scheduler.text.NumberText;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The requirement of a flavor's extra spec on a value, in a small language: an operator and its operands, separated by
 * blanks. The operators compare numbers ({@code =}, which means "at least", {@code ==}, {@code !=}, {@code >=},
 * {@code <=}), texts ({@code s==}, {@code s!=}, {@code s<}, {@code s<=}, {@code s>}, {@code s>=}), parts of the value
 * ({@code <in>}: the value contains the operand; {@code <all-in>}: it contains all operands), or alternatives:
 * {@code <or> a <or> b}. An operator without an operand is not met, but {@code <or>} without one cannot be evaluated.
 * Without a known operator, the whole text must equal the value.
 * <br>Source: nova {@code scheduler/filters/extra_specs_ops.py}.
 *
 * @param text the value of the extra spec
 * @param words the words of the text; the first one may be an operator
 * @param bound the second word as a number; null if there is none or it is not a number
 */
record ExtraSpecRequirement(String text, List<String> words, @Nullable Double bound) {
    enum Match {
        YES,
        NO,
        /** The comparison is not possible: one side should be a number and is not, or {@code <or>} has no operand. */
        UNUSABLE;

        static Match of(boolean holds) {
            return holds ? YES : NO;
        }
    }

    private static final Pattern BLANKS = Pattern.compile("(?U)\\s+");

    static ExtraSpecRequirement parse(String text) {
        String trimmed = BLANKS.matcher(text).replaceAll(" ").strip();
        List<String> words = trimmed.isEmpty() ? List.of() : List.of(trimmed.split(" "));
        return new ExtraSpecRequirement(text, words, words.size() < 2 ? null : NumberText.parse(words.get(1)));
    }

    Match match(String value) {
        String operator = words.isEmpty() ? "" : words.getFirst();
        return switch (operator) {
            case "<or>" -> anyAlternative(value);
            case "<all-in>" -> words.size() < 2
                    ? Match.NO
                    : Match.of(words.stream().skip(1).allMatch(value::contains));
            case "=", "==", "!=", ">=", "<=" -> words.size() < 2 ? Match.NO : compareNumbers(value, operator);
            case "s==", "s!=", "s<", "s<=", "s>", "s>=" -> words.size() < 2
                    ? Match.NO
                    : Match.of(compareTexts(value, operator, words.get(1)));
            case "<in>" -> Match.of(words.size() > 1 && value.contains(words.get(1)));
            default -> Match.of(value.equals(text));
        };
    }

    /** Compares every second word with the value. As in nova, the words between them are ignored. */
    private Match anyAlternative(String value) {
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

    private Match compareNumbers(String value, String operator) {
        Double parsed = bound == null ? null : NumberText.parse(value);
        if (parsed == null || bound == null) {
            return Match.UNUSABLE;
        }
        double offered = parsed;
        double required = bound;
        return Match.of(
                switch (operator) {
                    // In nova, "=" means "at least".
                    case "=", ">=" -> offered >= required;
                    case "==" -> offered == required;
                    case "!=" -> offered != required;
                    case "<=" -> offered <= required;
                    default -> throw new IllegalStateException(operator);
                });
    }

    private static boolean compareTexts(String value, String operator, String word) {
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
