package io.berth.deploy.checks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks that every relative link and anchor in the project's documents has a target. */
class LinksTest {
    private static final List<Path> DOCUMENTS = ProjectFiles.matching(Pattern.compile(".*\\.md"));

    @Test
    void everyLinkHasATarget() throws IOException {
        List<String> broken = new ArrayList<>();
        int followed = 0;
        for (Path document : DOCUMENTS) {
            for (String link : Markdown.parse(Files.readString(document)).links()) {
                if (!link.matches("[a-z][a-z0-9+.-]*:.*")) {
                    followed++;
                    String why = obstacle(document, link);
                    if (why != null) {
                        broken.add(ProjectFiles.ROOT.relativize(document) + ": " + link + " " + why);
                    }
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(followed).isGreaterThan(100);
    }

    @Test
    void parsesLinksAndAnchorsLikeGitHub() {
        Markdown read = Markdown.parse("""
                # A `code` heading, with (marks): yes
                ## Twice
                ## Twice
                [one](a.md#b) and `[not](code.md)`

                    [not](indented.md)

                ```
                [not](fenced.md)
                # no heading
                ```
                [two]: c.md
                """);
        assertThat(read.links()).containsExactly("a.md#b", "c.md");
        assertThat(read.anchors()).containsExactlyInAnyOrder("a-code-heading-with-marks-yes", "twice", "twice-1");
    }

    /** The index, or that of its folder, lists every document of {@code docs} except decisions. */
    @Test
    void everyDocumentIsInAnIndex() throws IOException {
        Path docs = ProjectFiles.ROOT.resolve("docs");
        Set<Path> indexed = new HashSet<>();
        for (Path index : DOCUMENTS) {
            if (index.startsWith(docs) && index.endsWith("README.md")) {
                Markdown.parse(Files.readString(index)).links()
                        .forEach(link -> indexed.add(index.resolveSibling(link.split("#")[0]).normalize()));
            }
        }
        assertThat(DOCUMENTS.stream()
                .filter(document -> document.startsWith(docs) && !document.equals(docs.resolve("README.md")))
                .filter(document -> !document.startsWith(docs.resolve("decisions"))))
                .isNotEmpty()
                .allSatisfy(document -> assertThat(indexed).contains(document));
    }

    private static String obstacle(Path document, String link) throws IOException {
        String[] parts = link.split("#", 2);
        Path target = parts[0].isEmpty() ? document : document.getParent().resolve(parts[0]).normalize();
        if (!Files.exists(target)) {
            return "is not there";
        }
        return parts.length == 1
                || !target.toString().endsWith(".md")
                || Markdown.parse(Files.readString(target)).anchors().contains(parts[1])
                        ? null
                        : "has no such heading";
    }
}
