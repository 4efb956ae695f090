package io.berth.deploy.command;

import java.text.BreakIterator;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Breaks lines of the help only at blanks, so that a value to copy stays on one line. picocli breaks lines where
 * {@link BreakIterator} allows it, which includes places within {@code hw:cpu_policy=dedicated}. This class inserts a
 * zero-width no-break character at such places before picocli breaks the lines, and then removes it.
 */
final class HelpText extends Help {
    /** The zero-width no-break character. */
    private static final String GLUE = "\ufeff";

    HelpText(CommandSpec command, ColorScheme colors) {
        super(command, colors);
        var message = command.usageMessage();
        message.sortOptions(false);
        message.autoWidth(true);
        message.description(Arrays.stream(message.description()).map(HelpText::withGlue).toArray(String[]::new));
        message.footer(Arrays.stream(message.footer()).map(HelpText::withGlue).toArray(String[]::new));
    }

    /** Inserts {@link #GLUE} at each place where a line may be broken, except after white space. */
    private static String withGlue(String text) {
        BreakIterator breaks = BreakIterator.getLineInstance(Locale.ROOT);
        breaks.setText(text);
        var result = new StringBuilder();
        int from = 0;
        for (int to = breaks.next(); to != BreakIterator.DONE; to = breaks.next()) {
            result.append(text, from, to);
            if (to < text.length() && !Character.isWhitespace(text.charAt(to - 1))) {
                result.append(GLUE);
            }
            from = to;
        }
        return result.toString();
    }

    private static String withoutGlue(String lines) {
        return lines.replace(GLUE, "");
    }

    /** Inserts {@link #GLUE} into the last column of each row, which is the description. */
    private Text[][] withGlue(Text[][] rows) {
        for (Text[] row : rows) {
            int last = row.length - 1;
            row[last] = colorScheme().text(withGlue(row[last].plainString()));
        }
        return rows;
    }

    @Override
    public IOptionRenderer createDefaultOptionRenderer() {
        IOptionRenderer renderer = super.createDefaultOptionRenderer();
        return (option, labels, colors) -> withGlue(renderer.render(option, labels, colors));
    }

    @Override
    public IParameterRenderer createDefaultParameterRenderer() {
        IParameterRenderer renderer = super.createDefaultParameterRenderer();
        return (parameter, labels, colors) -> withGlue(renderer.render(parameter, labels, colors));
    }

    @Override
    public String description(Object... parameters) {
        return withoutGlue(super.description(parameters));
    }

    @Override
    public String footer(Object... parameters) {
        return withoutGlue(super.footer(parameters));
    }

    @Override
    public String optionList() {
        return withoutGlue(super.optionList());
    }

    @Override
    public String parameterList() {
        return withoutGlue(super.parameterList());
    }
}
