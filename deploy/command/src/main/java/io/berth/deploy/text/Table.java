package io.berth.deploy.text;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Prints columns as wide as their content, two blanks apart, less than 100 together: if they would be wider, the last
 * one is broken into lines at blanks, and then the widest. Numbers are aligned to the right.
 */
public final class Table {
    static final int COLUMNS_MAX = 99;
    private static final String GAP = "  ";
    private static final int LAST_MIN = 20;

    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... headings) {
        this.headings = List.of(headings);
    }

    /** Adds texts, numbers or null for nothing; as many as there are headings. */
    public Table row(Object... cells) {
        if (cells.length != headings.size()) {
            throw new IllegalStateException(cells.length + " cells, " + headings.size() + " columns");
        }
        rows.add(Arrays.stream(cells).map(Table::text).toList());
        return this;
    }

    public int size() {
        return rows.size();
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    private static String text(Object cell) {
        return switch (cell) {
            case null -> "";
            case Integer number -> "%,d".formatted(number);
            case Long number -> "%,d".formatted(number);
            default -> String.valueOf(cell).replaceAll("\\s+", " ");
        };
    }

    /** Prints the table below an empty line, unless it has no rows. */
    public void print(PrintWriter out) {
        if (!isEmpty()) {
            out.println();
            lines().forEach(out::println);
        }
    }

    /** Prints a text in lines that are indented by two and as wide as a table. */
    public static void printText(String text, PrintWriter out) {
        wrap(text, COLUMNS_MAX - GAP.length()).forEach(line -> out.println(GAP + line));
    }

    /** Returns the lines, each indented by two. */
    public List<String> lines() {
        int last = headings.size() - 1;
        int[] widths = new int[headings.size()];
        boolean[] right = new boolean[headings.size()];
        Arrays.fill(right, true);
        for (int i = 0; i <= last; i++) {
            widths[i] = headings.get(i).length();
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], row.get(i).length());
                right[i] &= row.get(i).matches("-?[0-9][0-9,.]*|");
            }
        }
        for (int over = GAP.length() * (last + 1) + Arrays.stream(widths).sum() - COLUMNS_MAX; over > 0; over--) {
            widths[widths[last] > LAST_MIN ? last : widest(widths)]--;
        }
        List<String> lines = new ArrayList<>();
        render(headings, widths, right, lines);
        rows.forEach(row -> render(row, widths, right, lines));
        return lines;
    }

    private static int widest(int[] widths) {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            widest = widths[i] > widths[widest] ? i : widest;
        }
        return widest;
    }

    private static void render(List<String> row, int[] widths, boolean[] right, List<String> lines) {
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            cells.add(wrap(row.get(i), widths[i]));
        }
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        for (int at = 0; at < height; at++) {
            var line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String part = at < cells.get(i).size() ? cells.get(i).get(at) : "";
                line.append(GAP).append(padded(part, widths[i], right[i]));
            }
            lines.add(line.toString().stripTrailing());
        }
    }

    private static String padded(String text, int width, boolean right) {
        String blanks = " ".repeat(Math.max(0, width - text.length()));
        return right ? blanks + text : text + blanks;
    }

    /** Returns at least one line; breaks at blanks, or anywhere in a word that is longer than a line. */
    public static List<String> wrap(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text.strip();
        while (rest.length() > width) {
            int at = rest.lastIndexOf(' ', width);
            at = at <= 0 ? width : at;
            lines.add(rest.substring(0, at).stripTrailing());
            rest = rest.substring(at).stripLeading();
        }
        lines.add(rest);
        return lines;
    }
}
