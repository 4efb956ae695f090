package io.berth.deploy.load.mark;

import java.util.List;

/**
 * Renders each {@link Mark}, a measured figure with its target and verdict, as a line for a terminal or as a row of a
 * Markdown table.
 */
public final class MarkTable {
    private MarkTable() {}

    /** Renders one mark as a line for a terminal. */
    public static String text(Mark mark) {
        String comparison = mark.reference().isEmpty() ? "" : "; " + mark.reference();
        return "mark: %-12s %s: %s (%s)%s, %s".formatted(
                mark.verdict(), mark.label(), mark.comparedText(), mark.targetText(), comparison, mark.measured());
    }

    /** Renders a table in Markdown, with a line feed after each line. */
    public static String markdown(List<Mark> marks) {
        var table = new StringBuilder("""
                | what | measured | compared with | ratio | target | verdict |
                |---|---|---|---|---|---|
                """);
        for (Mark mark : marks) {
            table.append("| %s | %s | %s | %s | %s | %s |%n".formatted(
                    mark.label(), mark.measured(), mark.reference(), mark.comparedText(), mark.targetText(),
                    mark.verdict()));
        }
        return table.toString();
    }
}
