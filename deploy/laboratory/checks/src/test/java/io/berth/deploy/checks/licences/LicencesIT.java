package io.berth.deploy.checks.licences;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.deploy.checks.ProjectFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The licenses of a service's libraries allow their distribution with it under the Apache License. The build writes the
 * bill of materials. If a library has several licenses, one of them is enough.
 */
class LicencesIT {
    private static final Set<String> ALLOWED = Set.of(
            "Apache-2.0", "AL 2.0", "BSD-2-Clause", "BSD-3-Clause", "MIT", "MIT-0", "Public Domain", "CC0-1.0",
            "EPL-1.0", "EPL-2.0",
            "GPL-2.0-with-classpath-exception",
            "GNU General Public License, version 2 with the GNU Classpath Exception");

    @ParameterizedTest
    @ValueSource(strings = {"placement", "scheduler"})
    void everyDependencyHasAnAllowedLicense(String service) throws IOException {
        Path bill = ProjectFiles.ROOT.resolve(service + "-service/target/bom.json");
        assumeTrue(Files.exists(bill), bill + " is not there: ./mvnw verify of the service makes it");
        JsonNode components = new ObjectMapper().readTree(bill.toFile()).get("components");
        List<String> refused = new ArrayList<>();
        for (JsonNode component : components) {
            List<String> licences = licences(component);
            String purl = component.get("purl").textValue();
            if (!purl.startsWith("pkg:maven/io.berth/") && licences.stream().noneMatch(ALLOWED::contains)) {
                refused.add(purl + " " + licences);
            }
        }
        assertThat(components.size()).isGreaterThan(100);
        assertThat(refused).isEmpty();
    }

    private static List<String> licences(JsonNode component) {
        List<String> all = new ArrayList<>();
        for (JsonNode entry : component.path("licenses")) {
            JsonNode licence = entry.path("license");
            all.add(licence.path("id").asText(licence.path("name").asText(entry.path("expression").asText("none"))));
        }
        return all;
    }
}
