package io.berth.scheduler.api;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Serves version discovery as OpenStack's clients expect it, without authentication: {@code GET /} lists the versions,
 * {@code GET /v1} describes v1. Links are relative, so that they are valid behind any proxy.
 * <br>Source: the API working group's guideline on microversions and version discovery; read by keystoneauth.
 */
@Path("/")
@Produces(MediaType.APPLICATION_JSON)
public class VersionsEndpoint {
    private static final String VERSION =
            "{\"id\":\"v1.0\",\"status\":\"CURRENT\",\"links\":[{\"rel\":\"self\",\"href\":\"%s\"}]}";
    private static final String ALL = "{\"versions\":[" + VERSION.formatted("v1/") + "]}";
    /**
     * Request members and routes that were added to API version 1.0 without a new version number. A client may use
     * those that this list contains.
     */
    static final List<String> CAPABILITIES = List.of(
            "request_spec.name", "request_spec.project_name", "request_spec.user_name", "instances.name",
            "GET /v1/moves", "GET /v1/moves/{migration_uuid}", "POST /v1/moves/{migration_uuid}/confirm",
            "PUT /v1/drains/{name}", "GET /v1/drains/{name}/next", "PUT /v1/services/{uuid}?wait",
            "PUT /v1/compute_nodes/{uuid}?wait", "PUT /v1/host_aggregates/{uuid}?wait");
    private static final String ONE = "{\"version\":" + VERSION.formatted("") + ",\"capabilities\":"
            + CAPABILITIES.stream().collect(Collectors.joining("\",\"", "[\"", "\"]")) + "}";

    @GET
    public Uni<String> all() {
        return Uni.createFrom().item(ALL);
    }

    @GET
    @Path("v1")
    public Uni<String> one() {
        return Uni.createFrom().item(ONE);
    }
}
