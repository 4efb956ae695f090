package io.berth.placement.http;

import io.berth.observability.RouteTemplates;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The paths, for metrics; their methods, for the Allow header of a 405. A test compares it with the endpoints. */
final class Routes {
    private static final Map<Pattern, String> ALLOWED = new LinkedHashMap<>();
    private static final List<String> TEMPLATES = new ArrayList<>();

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
        add("/berth/v1/allocation_candidates", "GET");
        add("/berth/v1/allocation_candidates/explanation", "GET");
        add("/berth/v1/audit", "GET, POST");
        add("/berth/v1/audit/{}/undo", "POST");
    }

    private Routes() {}

    /** What requests are counted under. */
    static RouteTemplates templates() {
        return new RouteTemplates(TEMPLATES);
    }

    private static void add(String path, String methods) {
        TEMPLATES.add(path);
        ALLOWED.put(Pattern.compile(path.replace("{}", "[^/]+")), methods);
    }

    /** Empty for a path the API does not have. */
    static String allowed(String path) {
        for (var route : ALLOWED.entrySet()) {
            if (route.getKey().matcher(path).matches()) {
                return route.getValue();
            }
        }
        return "";
    }
}
