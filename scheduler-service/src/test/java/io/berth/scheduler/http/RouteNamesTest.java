package io.berth.scheduler.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
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
}
