package io.berth.model.text;

import java.util.ArrayList;
import java.util.List;

/** Measures the width of text in terminal columns, and breaks text into lines. Pure. */
final class TextColumns {
    /**
     * Maximum length of a cell or paragraph in characters, because clients choose names freely. Longer text is cut, and
     * ends with an ellipsis.
     */
    private static final int LENGTH_MAX = 4_000;

    private TextColumns() {}

    /**
     * Returns the text on one line, cut to {@value #LENGTH_MAX} characters. Each run of white space becomes one blank,
     * and each {@linkplain #isControlOrFormat control or format character} a question mark.
     */
    static String clean(String text) {
        var clean = new StringBuilder();
        String cut = text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX) + "…";
        cut.replaceAll("\\s+", " ").codePoints()
                .forEach(each -> clean.appendCodePoint(isControlOrFormat(each) ? '?' : each));
        return clean.toString();
    }

    /**
     * Returns whether the character is not visible itself, but may control a terminal or the direction of text: a
     * control or format character other than the zero-width joiner, a line or paragraph separator, or an unpaired
     * surrogate.
     */
    static boolean isControlOrFormat(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL, Character.SURROGATE, Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            // A zero-width joiner only connects the parts of an emoji.
            case Character.FORMAT -> codePoint != 0x200D;
            default -> false;
        };
    }

    static int width(String text) {
        return text.codePoints().map(TextColumns::width).sum();
    }

    /**
     * Returns 0 for combining marks and format characters, which take no column of their own; 2 for Chinese, Japanese,
     * Korean, emoji and full-width forms; 1 for all others.
     */
    private static int width(int codePoint) {
        if (codePoint < 0x300) {
            return 1;
        }
        return switch (Character.getType(codePoint)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(codePoint) ? 2 : 1;
        };
    }

    private static boolean isWide(int codePoint) {
        return Character.isIdeographic(codePoint) || Character.isEmojiPresentation(codePoint)
                || codePoint >= 0x1100 && codePoint <= 0x115F // initial consonants of Hangul
                || codePoint >= 0x3000 && codePoint <= 0x30FF // Japanese syllables, and punctuation
                || codePoint >= 0xAC00 && codePoint <= 0xD7A3 // Hangul
                || codePoint >= 0xFF01 && codePoint <= 0xFF60; // full-width forms
    }

    /** Breaks the text into lines, at least one. Breaks at blanks, and within words that are longer than a line. */
    static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text.strip();
        for (int end = prefixEnd(rest, width); end < rest.length(); end = prefixEnd(rest, width)) {
            int blank = rest.lastIndexOf(' ', end);
            int breakIndex = blank <= 0 ? end : blank;
            lines.add(rest.substring(0, breakIndex).stripTrailing());
            rest = rest.substring(breakIndex).stripLeading();
        }
        lines.add(rest);
        return lines;
    }

    /** Returns the end index of the longest prefix that fits into the columns, and has at least one character. */
    private static int prefixEnd(String text, int columns) {
        int remaining = columns;
        int index = 0;
        while (index < text.length()) {
            int codePoint = text.codePointAt(index);
            remaining -= width(codePoint);
            if (remaining < 0 && index > 0) {
                return index;
            }
            index += Character.charCount(codePoint);
        }
        return index;
    }
}
