package io.berth.deploy.command;

import java.text.BreakIterator;
import java.util.Arrays;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi.Text;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Breaks help lines only at blanks, so that text to be copied stays whole. Java's rules, which picocli uses, also break
 * a line within {@code hw:cpu_policy=dedicated}. A zero-width joining character marks such places until the lines are
 * made.
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

    /** Adds the character to the description, which is the last column. */
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
