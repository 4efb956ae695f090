package io.berth.deploy.checks.dependencies;

import static org.assertj.core.api.Assertions.assertThat;

import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Checks the diagram of the modules in {@code docs/ARCHITECTURE.md} against the dependencies in the POMs. */
class ModulesTest {
    private static final Pattern ARROW = Pattern.compile("^ *([a-z-]+) --> ([a-z-]+)$", Pattern.MULTILINE);

    @Test
    void theDiagramHasTheDependenciesOfThePoms() throws Exception {
        Set<String> declared = new TreeSet<>();
        for (Path module : ProjectFiles.modules()) {
            declared.addAll(arrows(module.resolve("pom.xml")));
        }
        assertThat(drawn()).isNotEmpty().isEqualTo(declared);
    }

    private static Set<String> drawn() throws IOException {
        return ARROW.matcher(Files.readString(ProjectFiles.ROOT.resolve("docs/ARCHITECTURE.md"))).results()
                .map(arrow -> arrow.group(1) + " --> " + arrow.group(2))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> arrows(Path pom) throws Exception {
        Document document = DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder().parse(pom.toFile());
        String module = child(document.getDocumentElement(), "artifactId");
        Set<String> arrows = new TreeSet<>();
        NodeList dependencies = document.getElementsByTagName("dependency");
        for (int i = 0; i < dependencies.getLength(); i++) {
            var dependency = (Element) dependencies.item(i);
            if (child(dependency, "groupId").equals("io.berth") && !child(dependency, "scope").equals("test")) {
                arrows.add(module + " --> " + child(dependency, "artifactId"));
            }
        }
        return arrows;
    }

    /** Returns the text of a direct child, or an empty string if there is none. */
    private static String child(Element parent, String name) {
        for (var node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node.getNodeName().equals(name)) {
                return node.getTextContent().strip();
            }
        }
        return "";
    }
}
