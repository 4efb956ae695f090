package io.berth.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.berth.scheduler.openapi.Specification;
import io.smallrye.openapi.api.SmallRyeOpenAPI;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Tests that RouteNames has the routes and parameters of the OpenAPI document. */
class RouteNamesTest {
    /** OpenAPI document as it is served: the build completes the file. */
    private static final JsonNode SPECIFICATION = read();

    private static JsonNode read() {
        SmallRyeOpenAPI completed = SmallRyeOpenAPI.builder()
                .withCustomStaticFile(() -> RouteNamesTest.class.getResourceAsStream("/META-INF/openapi.yaml"))
                .enableModelReader(false)
                .enableStandardStaticFiles(false)
                .enableAnnotationScan(false)
                .enableStandardFilter(false)
                .addFilter(new Specification())
                .build();
        try {
            return new ObjectMapper().readTree(completed.toJSON());
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void hasEveryRouteOfTheSpecification() {
        List<String> routes = SPECIFICATION.path("paths").propertyStream()
                .map(path -> path.getKey().replaceAll("\\{[^}]*}", "{}"))
                .toList();
        assertThat(RouteNames.all()).containsExactlyInAnyOrderElementsOf(routes);
    }

    @Test
    void hasTheQueryParametersOfTheSpecification() {
        for (var path : SPECIFICATION.path("paths").properties()) {
            String template = path.getKey().replaceAll("\\{[^}]*}", "{}");
            for (var operation : path.getValue().properties()) {
                Set<String> wanted = new TreeSet<>();
                for (JsonNode stated : operation.getValue().path("parameters")) {
                    JsonNode parameter = stated.has("$ref")
                            ? SPECIFICATION.at(stated.path("$ref").asText().substring(1))
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
