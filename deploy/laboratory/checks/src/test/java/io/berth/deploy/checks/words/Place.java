package io.berth.deploy.checks.words;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A part of the project in which retired words are counted: the sources of some modules, or documents. */
enum Place {
    PLACEMENT_SERVICE("placement-service/.*/?src/main/java/.*\\.java"),
    SHARED_MODEL("shared-model/.*src/main/java/.*\\.java"),
    COMMAND("deploy/(command|examples)/.*src/main/java/.*\\.java"),
    LABORATORY("deploy/laboratory/.*src/main/java/.*\\.java"),
    TESTS(".*src/test/java/.*\\.java"),
    SCHEDULER_SERVICE("scheduler-service/.*src/main/java/.*\\.java"),
    /** All documents except measurements and decisions, which are dated, and the reference, which is generated. */
    DOCUMENTS("[A-Z]+\\.md|changelog/.*\\.md|deploy/README\\.md|docs/(?!benchmarks)[A-Za-z-]+\\.md|docs/how-to/.*\\.md");

    private static final Pattern QUOTED = Pattern.compile("`[^`]*`|]\\([^)]*\\)");

    private final Pattern files;

    Place(String files) {
        this.files = Pattern.compile(files);
    }

    /** Returns the name in {@code words/retired.txt}. */
    String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Returns {@code file:line: text} for each occurrence. */
    List<String> find(Pattern word) {
        List<String> found = new ArrayList<>();
        for (Path file : files()) {
            List<String> lines = lines(file);
            for (int i = 0; i < lines.size(); i++) {
                Matcher matcher = word.matcher(prose(lines.get(i)));
                while (matcher.find()) {
                    found.add(ProjectFiles.ROOT.relativize(file) + ":" + (i + 1) + ": " + lines.get(i).strip());
                }
            }
        }
        return found;
    }

    /** Removes quoted names and links from a line of a document. */
    private String prose(String line) {
        return this == DOCUMENTS ? QUOTED.matcher(line).replaceAll("") : line;
    }

    List<Path> files() {
        return ProjectFiles.matching(files);
    }

    private static List<String> lines(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
