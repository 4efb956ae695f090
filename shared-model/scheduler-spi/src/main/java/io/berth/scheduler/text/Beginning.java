package io.berth.scheduler.text;

/** Shortens a text of any length for messages. */
public final class Beginning {
    private Beginning() {}

    /** Returns the whole text, or at most that many characters and an ellipsis; a surrogate pair is never split. */
    public static String of(String text, int max) {
        if (text.length() <= max) {
            return text;
        }
        int end = Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max;
        return text.substring(0, end) + "…";
    }
}
