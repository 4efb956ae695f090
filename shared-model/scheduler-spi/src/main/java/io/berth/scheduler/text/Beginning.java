package io.berth.scheduler.text;

/** What is shown of a text that may be of any length. */
public final class Beginning {
    private Beginning() {}

    /** All of it, or so many characters at most and an ellipsis; no surrogate pair is cut in two. */
    public static String of(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end) + "…";
    }
}
