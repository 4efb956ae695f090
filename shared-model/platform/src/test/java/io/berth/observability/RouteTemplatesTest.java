package io.berth.observability;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests how paths are mapped to route templates for metrics. */
class RouteTemplatesTest {
    private final RouteTemplates routes = new RouteTemplates(
            List.of("/", "/traits", "/traits/{}", "/resource_providers/{}/inventories/{}"));

    private String nameOf(String path) {
        return routes.name(routes.find(path));
    }

    @Test
    void namesPathsByTheirTemplate() {
        assertThat(nameOf("/")).isEqualTo("/");
        assertThat(nameOf("/traits")).isEqualTo("/traits");
        assertThat(nameOf("/traits/HW_CPU_X86_VMX")).isEqualTo("/traits/{}");
        assertThat(nameOf("/resource_providers/a7d3f1a6-0000-4000-8000-000000000000/inventories/VCPU"))
                .isEqualTo("/resource_providers/{}/inventories/{}");
    }

    @Test
    void namesUnknownPathsAsOther() {
        for (String path : List.of("/trait", "/traitsx", "/traits/", "/traits//", "/traits/a/b", "traits", "", "//",
                "/resource_providers//inventories/VCPU", "/resource_providers/x/inventories")) {
            assertThat(nameOf(path)).as(path).isEqualTo(RouteTemplates.OTHER);
        }
        assertThat(nameOf(null)).isEqualTo(RouteTemplates.OTHER);
    }
}
