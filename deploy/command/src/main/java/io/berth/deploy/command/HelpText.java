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
 * zero-width no-break character at such places before picocli breaks the lines, and removes it afterwards.
 */
final class HelpText extends Help {
    private static final String GLUE = "\ufeff";

    HelpText(CommandSpec command, ColorScheme colors) {
        super(command, colors);
        var message = command.usageMessage();
        message.sortOptions(false);
        message.autoWidth(true);
        message.description(Arrays.stream(message.description()).map(HelpText::glued).toArray(String[]::new));
        message.footer(Arrays.stream(message.footer()).map(HelpText::glued).toArray(String[]::new));
    }

    private static String glued(String text) {
        BreakIterator breaks = BreakIterator.getLineInstance(Locale.ROOT);
        breaks.setText(text);
        var glued = new StringBuilder();
        int from = 0;
        for (int to = breaks.next(); to != BreakIterator.DONE; to = breaks.next()) {
            glued.append(text, from, to);
            if (to < text.length() && !Character.isWhitespace(text.charAt(to - 1))) {
                glued.append(GLUE);
            }
            from = to;
        }
        return glued.toString();
    }

    private static String plain(String lines) {
        return lines.replace(GLUE, "");
    }

    /** Inserts the character into the last column of each row, which is the description. */
    private Text[][] glued(Text[][] rows) {
        for (Text[] row : rows) {
            int last = row.length - 1;
            row[last] = colorScheme().text(glued(row[last].plainString()));
        }
        return rows;
    }

    @Override
    public IOptionRenderer createDefaultOptionRenderer() {
        IOptionRenderer renderer = super.createDefaultOptionRenderer();
        return (option, labels, colors) -> glued(renderer.render(option, labels, colors));
    }

    @Override
    public IParameterRenderer createDefaultParameterRenderer() {
        IParameterRenderer renderer = super.createDefaultParameterRenderer();
        return (parameter, labels, colors) -> glued(renderer.render(parameter, labels, colors));
    }

    @Override
    public String description(Object... parameters) {
        return plain(super.description(parameters));
    }

    @Override
    public String footer(Object... parameters) {
        return plain(super.footer(parameters));
    }

    @Override
    public String optionList() {
        return plain(super.optionList());
    }

    @Override
    public String parameterList() {
        return plain(super.parameterList());
    }
}
