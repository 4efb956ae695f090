package io.berth.scheduler.text;

/** Cuts long texts for messages. */
public final class Truncation {
    private Truncation() {}

    /**
     * Returns the text, or its first {@code max} characters and an ellipsis if it is longer; one character less if the
     * cut would split a surrogate pair.
     */
    public static String of(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end) + "…";
    }
}
