package io.berth.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class RouteNamesTest {
    @Test
    void everyRouteOfTheSpecificationHasItsName() throws IOException {
        try (var specification = getClass().getResourceAsStream("/META-INF/openapi.yaml")) {
            List<String> routes = new String(specification.readAllBytes(), StandardCharsets.UTF_8).lines()
                    .filter(line -> line.matches(" {2}/.*:"))
                    .map(line -> line.strip().replaceAll(":$", "").replaceAll("\\{[^}]*}", "{}"))
                    .toList();
            assertThat(RouteNames.all()).containsAll(routes).doesNotHaveDuplicates();
            assertThat(routes).hasSizeGreaterThan(15);
        }
    }

    @Test
    void everyRouteTakesTheParametersOfTheSpecification() throws IOException {
        try (var specification = getClass().getResourceAsStream("/META-INF/openapi.yaml")) {
            JsonNode document = new YAMLMapper().readTree(specification);
            for (var path : document.path("paths").properties()) {
                String template = path.getKey().replaceAll("\\{[^}]*}", "{}");
                for (var operation : path.getValue().properties()) {
                    Set<String> wanted = new TreeSet<>();
                    for (JsonNode stated : operation.getValue().path("parameters")) {
                        JsonNode parameter = stated.has("$ref")
                                ? document.at(stated.path("$ref").asText().substring(1))
                                : stated;
                        if (parameter.path("in").asText().equals("query")) {
                            wanted.add(parameter.path("name").asText());
                        }
                    }
                    String method = operation.getKey().toUpperCase(Locale.ROOT);
                    assertThat(RouteNames.parameters(method, template)).as(method + " " + template).isEqualTo(wanted);
                }
            }
        }
    }
}
