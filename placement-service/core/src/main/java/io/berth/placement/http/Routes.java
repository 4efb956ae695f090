package io.berth.placement.http;

import io.berth.observability.RouteTemplates;
import io.vertx.core.http.HttpServerRequest;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The table of all routes: their paths, which label metrics; their methods, for the header Allow of a 405; and the
 * routes that read bodies, with the policy rule of each. {@code {}} in a path stands for a segment. A test compares
 * paths and methods of Berth's own routes with the endpoints.
 */
final class Routes {
    /** The methods of each path, as in the header Allow. */
    private static final Map<Pattern, String> ALLOWED = new LinkedHashMap<>();
    private static final List<String> TEMPLATES = new ArrayList<>();
    private static final List<BodyRoute> BODIES = new ArrayList<>();

    static {
        add("/", "GET");
        add("/resource_classes", "GET, POST");
        add("/resource_classes/{}", "GET, PUT, DELETE");
        add("/resource_providers", "GET, POST");
        add("/resource_providers/{}", "GET, DELETE, PUT");
        add("/resource_providers/{}/inventories", "GET, POST, PUT, DELETE");
        add("/resource_providers/{}/inventories/{}", "GET, PUT, DELETE");
        add("/resource_providers/{}/usages", "GET");
        add("/resource_providers/{}/aggregates", "GET, PUT");
        add("/resource_providers/{}/allocations", "GET");
        add("/resource_providers/{}/traits", "GET, PUT, DELETE");
        add("/allocations", "POST");
        add("/allocations/{}", "GET, PUT, DELETE");
        add("/allocation_candidates", "GET");
        add("/traits", "GET");
        add("/traits/{}", "GET, PUT, DELETE");
        add("/usages", "GET");
        add("/reshaper", "POST");
        add("/berth/v1/allocation_candidates/explanation", "GET");
        add("/berth/v1/candidates", "GET");
        add("/berth/v1/provider_trees", "POST");
        add("/berth/v1/what_if", "POST");
        add("/berth/v1/released_consumers", "GET");
        add("/berth/v1/holding_consumers", "POST");
        add("/berth/v1/settlements", "POST");
        add("/berth/v1/fleet", "GET");
        add("/berth/v1/fleet/{}", "GET");
        add("/berth/v1/replica", "GET");
        add("/berth/v1/changes", "GET");
        add("/berth/v1/audit", "GET, POST");
        add("/berth/v1/audit/{}/undo", "POST");
        addBody("POST /resource_classes", "resource_classes:create");
        addBody("PUT /resource_classes/{}", "resource_classes:update");
        addBody("POST /resource_providers", "resource_providers:create");
        addBody("PUT /resource_providers/{}", "resource_providers:update");
        addBody("POST /resource_providers/{}/inventories", "resource_providers:inventories:create");
        addBody("PUT /resource_providers/{}/inventories", "resource_providers:inventories:update");
        addBody("PUT /resource_providers/{}/inventories/{}", "resource_providers:inventories:update");
        addBody("PUT /resource_providers/{}/aggregates", "resource_providers:aggregates:update");
        addBody("PUT /resource_providers/{}/traits", "resource_providers:traits:update");
        addBody("PUT /allocations/{}", "allocations:update");
        addBody("POST /berth/v1/provider_trees", "allocation_candidates:list");
        addBody("POST /berth/v1/holding_consumers", "allocations:list");
        addBody("POST /berth/v1/settlements", "allocations:settle");
        addBody("POST /berth/v1/what_if", "allocation_candidates:list");
        BODIES.add(new BodyRoute("POST", pattern("/allocations"), "placement:allocations:manage", true));
        BODIES.add(new BodyRoute("POST", pattern("/reshaper"), "placement:reshaper:reshape", true));
        BODIES.add(new BodyRoute("POST", pattern("/berth/v1/audit"), "placement:audit:show", true));
    }

    private Routes() {}

    /**
     * A route that reads a body.
     *
     * @param rule the policy rule that must allow the request before its body is read; the endpoint checks the rule
     *         again
     * @param isLarge whether the higher limit of bodies applies, for bodies that may list the allocations or consumers
     *         of a whole fleet
     */
    record BodyRoute(String method, Pattern path, String rule, boolean isLarge) {}

    /** Returns the request's route if this route reads a body; otherwise null. */
    static @Nullable BodyRoute findBodyRoute(HttpServerRequest request, String path) {
        for (BodyRoute body : BODIES) {
            if (body.method().equals(request.method().name()) && body.path().matcher(path).matches()) {
                return body;
            }
        }
        return null;
    }

    /** Returns the paths of all routes as templates. */
    static RouteTemplates templates() {
        return new RouteTemplates(TEMPLATES);
    }

    private static void add(String path, String methods) {
        TEMPLATES.add(path);
        ALLOWED.put(pattern(path), methods);
    }

    /**
     * @param route the method and the path, separated by a blank
     * @param operation the policy rule without {@code placement:}
     */
    private static void addBody(String route, String operation) {
        int blank = route.indexOf(' ');
        BODIES.add(new BodyRoute(
                route.substring(0, blank), pattern(route.substring(blank + 1)), "placement:" + operation, false));
    }

    private static Pattern pattern(String path) {
        return Pattern.compile(path.replace("{}", "[^/]+"));
    }

    /** Returns the paths that support a method, with {@code {}} for each variable segment. */
    static Stream<String> withMethod(String method) {
        return TEMPLATES.stream().filter(path -> List.of(allowedMethods(path).split(", ")).contains(method));
    }

    /** Returns the methods of a path, separated by commas; an empty string if the path does not exist. */
    static String allowedMethods(String path) {
        for (var route : ALLOWED.entrySet()) {
            if (route.getKey().matcher(path).matches()) {
                return route.getValue();
            }
        }
        return "";
    }
}
