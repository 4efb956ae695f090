package io.berth.identity.policy;

import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of a check after the colon: text in which {@code %(project_id)s} and {@code %(user_id)s} are placeholders
 * for the project and the user of the target. A check does not hold if its text has a placeholder for which the target
 * has no value.
 */
record TargetText(List<Part> parts) {
    private static final Pattern PLACEHOLDER = Pattern.compile("%\\(([^)]*)\\)s");

    sealed interface Part {
        record Text(String text, String lowerCase) implements Part {}

        record Project() implements Part {}

        record User() implements Part {}
    }

    TargetText {
        parts = List.copyOf(parts);
    }

    /**
     * Parses the text. Throws {@link PolicyFault} for any other placeholder, and for a percent sign without a
     * placeholder.
     *
     * @param column the column at which the text begins in the rule, from 1, for messages
     */
    static TargetText parse(String text, int column) {
        List<Part> parts = new ArrayList<>();
        Matcher placeholder = PLACEHOLDER.matcher(text);
        int from = 0;
        while (placeholder.find()) {
            addText(parts, text.substring(from, placeholder.start()), column + from);
            parts.add(switch (placeholder.group(1)) {
                case "project_id" -> new Part.Project();
                case "user_id" -> new Part.User();
                default -> throw new PolicyFault(
                        column + placeholder.start(), "unknown placeholder %(" + placeholder.group(1)
                                + ")s; known are %(project_id)s and %(user_id)s");
            });
            from = placeholder.end();
        }
        addText(parts, text.substring(from), column + from);
        return new TargetText(parts);
    }

    private static void addText(List<Part> parts, String text, int column) {
        int percent = text.indexOf('%');
        if (percent >= 0) {
            throw new PolicyFault(column + percent, "% must be followed by (project_id)s or (user_id)s").asUnknown();
        }
        if (!text.isEmpty()) {
            parts.add(new Part.Text(text, text.toLowerCase(Locale.ROOT)));
        }
    }

    /** Returns the text with the target's attributes in place of placeholders; null if the target lacks one of them. */
    @Nullable String text(Target target) {
        if (parts.size() == 1) {
            return textOf(parts.getFirst(), target);
        }
        StringBuilder joined = new StringBuilder();
        for (Part part : parts) {
            String text = textOf(part, target);
            if (text == null) {
                return null;
            }
            joined.append(text);
        }
        return joined.toString();
    }

    /** Returns {@link #text} in lower case. A text without placeholders is converted once, by {@link #parse}. */
    @Nullable String lowerCase(Target target) {
        if (parts.size() == 1 && parts.getFirst() instanceof Part.Text constant) {
            return constant.lowerCase();
        }
        String text = text(target);
        return text == null ? null : text.toLowerCase(Locale.ROOT);
    }

    private static @Nullable String textOf(Part part, Target target) {
        return switch (part) {
            case Part.Text text -> text.text();
            case Part.Project _ -> target.projectId();
            case Part.User _ -> target.userId();
        };
    }
}
