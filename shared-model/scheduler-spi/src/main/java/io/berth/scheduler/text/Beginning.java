package io.berth.scheduler.text;

/** The beginning of a text that may be of any length, for messages. */
public final class Beginning {
    private Beginning() {}

    /** Returns all of it, or at most that many characters and an ellipsis; no surrogate pair is cut in two. */
    public static String of(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end) + "…";
    }
}
