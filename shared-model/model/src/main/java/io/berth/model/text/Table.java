package io.berth.model.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Renders a table of less than 100 columns of text. Each column of the table is as wide as its content. If the table
 * would be too wide, its last column is narrowed to no less than {@value #LAST_COLUMN_MIN} columns of text, and then
 * repeatedly the column that is the widest. Cells of a narrowed column are broken into lines. Columns of numbers are
 * aligned to the right. Not thread-safe.
 */
public final class Table {
    private static final String GAP = "  ";
    /** Width in columns of text to which the last column of the table is narrowed before any other column. */
    private static final int LAST_COLUMN_MIN = 20;

    private final int rowsMax;
    private final List<String> headings;
    private final List<List<String>> rows = new ArrayList<>();
    private long omitted;

    public Table(String... headings) {
        this(Integer.MAX_VALUE, headings);
    }

    /** @param rowsMax maximum number of rendered rows; a last line has the number of the omitted ones */
    public Table(int rowsMax, String... headings) {
        this.rowsMax = rowsMax;
        this.headings = List.of(headings);
    }

    /**
     * Adds a row.
     *
     * @param cells one for each heading: text, a number, or null for an empty cell
     */
    public Table row(Object... cells) {
        if (cells.length != headings.size()) {
            throw new IllegalStateException(cells.length + " cells, " + headings.size() + " columns");
        }
        if (rows.size() < rowsMax) {
            rows.add(Arrays.stream(cells).map(Table::text).toList());
        } else {
            omitted++;
        }
        return this;
    }

    /** Adds to the number of omitted rows, for rows that the caller did not read. */
    public Table addOmitted(long count) {
        omitted += count;
        return this;
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    private static String text(Object cell) {
        return switch (cell) {
            case null -> "";
            case Integer number -> PlainText.format("%,d", number);
            case Long number -> PlainText.format("%,d", number);
            default -> TextColumns.clean(String.valueOf(cell));
        };
    }

    /**
     * Returns the lines: the headings, the rows, and the number of omitted rows if there are any. Each line is indented
     * by two columns.
     */
    public List<String> lines() {
        int last = headings.size() - 1;
        int[] widths = new int[headings.size()];
        boolean[] alignRight = new boolean[headings.size()];
        Arrays.fill(alignRight, true);
        for (int i = 0; i <= last; i++) {
            widths[i] = TextColumns.width(headings.get(i));
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], TextColumns.width(row.get(i)));
                alignRight[i] &= row.get(i).matches("-?[0-9][0-9,.]*|");
            }
        }
        int width = GAP.length() * (last + 1) + Arrays.stream(widths).sum();
        for (int excess = width - PlainText.COLUMNS_MAX; excess > 0; excess--) {
            widths[widths[last] > LAST_COLUMN_MIN ? last : widest(widths)]--;
        }
        List<String> lines = new ArrayList<>();
        render(headings, widths, alignRight, lines);
        rows.forEach(row -> render(row, widths, alignRight, lines));
        if (omitted > 0) {
            lines.add(GAP + PlainText.format("… and %,d more", omitted));
        }
        return lines;
    }

    private static int widest(int[] widths) {
        int widest = 0;
        for (int i = 1; i < widths.length; i++) {
            widest = widths[i] > widths[widest] ? i : widest;
        }
        return widest;
    }

    private static void render(List<String> row, int[] widths, boolean[] alignRight, List<String> lines) {
        List<List<String>> cells = new ArrayList<>();
        for (int i = 0; i < widths.length; i++) {
            cells.add(TextColumns.wrap(row.get(i), widths[i]));
        }
        int height = cells.stream().mapToInt(List::size).max().orElse(0);
        for (int lineIndex = 0; lineIndex < height; lineIndex++) {
            var line = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                String part = lineIndex < cells.get(i).size() ? cells.get(i).get(lineIndex) : "";
                line.append(GAP).append(padded(part, widths[i], alignRight[i]));
            }
            lines.add(line.toString().stripTrailing());
        }
    }

    private static String padded(String text, int width, boolean alignRight) {
        String blanks = " ".repeat(Math.max(0, width - TextColumns.width(text)));
        return alignRight ? blanks + text : text + blanks;
    }
}
