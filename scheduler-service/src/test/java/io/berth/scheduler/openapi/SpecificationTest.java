package io.berth.scheduler.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.microprofile.openapi.OASFactory;
import org.eclipse.microprofile.openapi.models.Components;
import org.eclipse.microprofile.openapi.models.OpenAPI;
import org.junit.jupiter.api.Test;

/** Tests that what the build adds to the OpenAPI document has a fixed order, so that equal sources give equal bytes. */
class SpecificationTest {
    private final Components components = OASFactory.createComponents();
    private final OpenAPI api = OASFactory.createOpenAPI().components(components).paths(OASFactory.createPaths());

    SpecificationTest() {
        for (String name : List.of("Cell", "ComputeNode", "ComputeService", "HostAggregate", "ServerGroup", "Instance")) {
            components.addSchema(name, OASFactory.createSchema().examples(List.of(Map.of("name", "a"))));
        }
        components.addResponse("Invalid", OASFactory.createAPIResponse()
                .extensions(new LinkedHashMap<>(Map.of("x-code", "REQUEST_INVALID", "x-detail", "no"))));
        new Specification().filterOpenAPI(api);
    }

    @Test
    void addsCollectionsInTheOrderOfTheirDeclaration() {
        assertThat(api.getPaths().getPathItems().keySet()).containsExactly(
                "/v1/cells", "/v1/cells/{uuid}",
                "/v1/compute_nodes", "/v1/compute_nodes/{uuid}",
                "/v1/services", "/v1/services/{uuid}",
                "/v1/host_aggregates", "/v1/host_aggregates/{uuid}",
                "/v1/server_groups", "/v1/server_groups/{uuid}",
                "/v1/instances", "/v1/instances/{uuid}");
    }

    @Test
    void examplesOfErrorsHaveTheMemberOrderOfResponses() {
        Object example =
                components.getResponses().get("Invalid").getContent().getMediaType("application/json").getExample();
        assertThat(((Map<?, ?>) ((List<?>) ((Map<?, ?>) example).get("errors")).getFirst()).keySet().stream()
                .map(String::valueOf))
                .containsExactly("status", "request_id", "code", "title", "detail");
    }
}
