package io.berth.deploy.checks.documents;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that links in comments that use a full name lead to a class or a package. */
class JavadocLinksTest {
    private static final Pattern LINK = Pattern.compile("\\{@link(?:plain)?[\\s*]+(io\\.berth\\.[\\w.]+)");
    private static final String SOURCES = "/src/main/java/";

    @Test
    void everyLinkLeadsToAClassOrPackage() throws IOException {
        List<Path> files = ProjectFiles.matching(Pattern.compile(".*" + SOURCES + ".*\\.java"));
        Set<String> known = files.stream().map(JavadocLinksTest::nameOf).collect(Collectors.toCollection(TreeSet::new));
        known.addAll(files.stream().map(file -> nameOf(file.getParent())).toList());
        List<String> broken = new ArrayList<>();
        int followed = 0;
        for (Path file : files) {
            Matcher link = LINK.matcher(Files.readString(file));
            while (link.find()) {
                followed++;
                if (!known.contains(link.group(1).replaceAll("(\\.[A-Z]\\w*)\\..*", "$1"))) {
                    broken.add(ProjectFiles.ROOT.relativize(file) + ": " + link.group(1));
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(followed).isGreaterThan(100);
    }

    private static String nameOf(Path file) {
        String path = file.toString();
        return path.substring(path.indexOf(SOURCES) + SOURCES.length()).replaceFirst("\\.java$", "").replace('/', '.');
    }
}
