package io.berth.scheduler.http;

import io.berth.observability.RouteTemplates;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The routes as metrics label them, with {@code {}} for a variable part, and the query parameters of each route. A test
 * compares routes and parameters with openapi.yaml.
 */
@Singleton
public final class RouteNames {
    private static final List<String> COLLECTIONS =
            List.of("cells", "compute_nodes", "services", "host_aggregates", "server_groups", "instances");

    static List<String> all() {
        List<String> names = new ArrayList<>(List.of(
                "/", "/v1", "/v1/select_destinations", "/v1/reschedule", "/v1/simulations", "/v1/explanations",
                "/v1/decisions", "/v1/decisions/{}", "/v1/decisions/{}/hosts/{}", "/v1/options", "/v1/caller",
                "/v1/sign_in", "/v1/replica", "/v1/audit", "/v1/moves", "/v1/moves/{}", "/v1/moves/{}/revert",
                "/v1/moves/{}/confirm", "/v1/proposals", "/v1/capacity", "/v1/what_if",
                "/v1/capacity/watches", "/v1/capacity/watches/{}", "/v1/placement_sync", "/v1/shadow", "/v1/changes",
                "/v1/fleet", "/v1/fleet/{}", "/v1/fleet/{}/inventories/{}", "/v1/services/{}/heartbeat", "/v1/drains",
                "/v1/drains/{}", "/v1/drains/{}/next", "/v1/services/heartbeats", "/v1/compute_nodes/{}/instances"));
        for (String collection : COLLECTIONS) {
            names.add("/v1/" + collection);
            names.add("/v1/" + collection + "/{}");
        }
        return names;
    }

    /**
     * Returns the names of the query parameters of a route; empty if the route has none.
     *
     * @param method HTTP method in upper case
     * @param template the route as in {@link #all}
     */
    static Set<String> parameters(String method, String template) {
        return switch (method + " " + template) {
            case "GET /v1/placement_sync" -> Set.of("host");
            case "GET /v1/shadow" -> Set.of("since", "limit");
            case "GET /v1/changes" -> Set.of("user", "about", "since", "until", "marker", "limit");
            case "POST /v1/select_destinations" -> Set.of("explain", "dry_run");
            case "POST /v1/explanations" -> Set.of("detail");
            case "POST /v1/moves" -> Set.of("dry_run");
            case "GET /v1/moves" -> Set.of("instance", "limit", "marker");
            case "GET /v1/drains" -> Set.of("limit", "marker");
            case "GET /v1/drains/{}/next" -> Set.of("limit");
            case "DELETE /v1/drains/{}" -> Set.of("enable");
            case "GET /v1/decisions/{}" -> Set.of("detail");
            case "GET /v1/decisions" ->
                Set.of("instance", "project", "host", "result", "flavor", "since", "until", "limit", "marker");
            case "GET /v1/cells", "GET /v1/host_aggregates" -> listParameters("name");
            case "GET /v1/compute_nodes" -> listParameters("host", "nodename");
            case "GET /v1/services", "GET /v1/instances" -> listParameters("host");
            case "GET /v1/server_groups" -> listParameters();
            case "POST /v1/compute_nodes", "PUT /v1/compute_nodes", "PUT /v1/compute_nodes/{}",
                    "DELETE /v1/compute_nodes/{}", "POST /v1/services", "PUT /v1/services", "PUT /v1/services/{}",
                    "DELETE /v1/services/{}", "POST /v1/host_aggregates", "PUT /v1/host_aggregates",
                    "PUT /v1/host_aggregates/{}", "DELETE /v1/host_aggregates/{}" -> Set.of("wait");
            default -> Set.of();
        };
    }

    /**
     * Returns the parameters of a list of registered records.
     *
     * @param members members by which the list can be filtered
     */
    private static Set<String> listParameters(String... members) {
        return Stream.concat(Stream.of("limit", "marker", "sort_key", "sort_dir"), Stream.of(members))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Produces
    @Singleton
    RouteTemplates templates() {
        return new RouteTemplates(all());
    }
}
