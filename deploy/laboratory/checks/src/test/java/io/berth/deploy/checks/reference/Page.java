package io.berth.deploy.checks.reference;

import io.berth.deploy.checks.ProjectFiles;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A page of {@code docs/reference}.
 *
 * @param name name of the file
 * @param text Markdown, with a trailing newline
 */
record Page(String name, String text) {
    private static final String HEAD = "<!-- Written from the code by ReferenceTest; see CONTRIBUTING.md. -->\n\n";

    static Page of(String name, String... paragraphs) {
        return new Page(name, HEAD + String.join("\n\n", paragraphs).strip() + "\n");
    }

    /** Returns rows as a Markdown table; cells may contain bars. */
    static String table(List<String> heads, List<List<String>> rows) {
        return row(heads) + "\n" + "|---".repeat(heads.size()) + "|\n"
                + rows.stream().map(Page::row).collect(Collectors.joining("\n"));
    }

    /** Returns the text as a sentence for a table cell; Java's null becomes none. */
    static String sentence(String text) {
        if (text.isEmpty()) {
            return "";
        }
        String words = text.replaceAll("\\bnull:", "none:");
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1) + (words.endsWith(".") ? "" : ".");
    }

    static String code(String text) {
        return text.isEmpty() ? "" : "`" + text + "`";
    }

    Path file() {
        return ProjectFiles.ROOT.resolve("docs/reference").resolve(name);
    }

    @Override
    public String toString() {
        return name;
    }

    private static String row(List<String> cells) {
        return cells.stream().map(cell -> cell.replace("|", "\\|")).collect(Collectors.joining(" | ", "| ", " |"));
    }
}
