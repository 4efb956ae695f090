package io.berth.scheduler.identity;

import io.berth.identity.policy.DefaultRule;
import io.berth.identity.policy.PolicyDefaults;
import io.vertx.core.http.HttpMethod;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Defines the scheduler's policy rules and their defaults. By default the roles admin and service may do everything, as
 * in OpenStack's placement, except that only admin may see the audit and the list of changes. {@code reader_api} grants
 * read-only operations to further callers. Its default matches no caller, because responses contain data of all
 * projects; a policy file may redefine it. nova-scheduler has no HTTP API, so the names of rules follow placement's.
 */
@Singleton
public final class SchedulerRules implements PolicyDefaults {
    private static final String ADMIN_OR_SERVICE = "rule:admin_or_service_api";
    private static final String READER = "rule:admin_or_service_or_reader_api";
    /** First path segments below {@code /v1} of the routes of registered records. */
    private static final Set<String> REGISTRY =
            Set.of("cells", "compute_nodes", "services", "host_aggregates", "server_groups", "instances");
    /**
     * Rules by the first path segment below {@code /v1}, for all requests that {@link #ruleOf} does not treat
     * specially.
     */
    private static final Map<String, String> BY_RESOURCE = Map.ofEntries(
            Map.entry("select_destinations", "scheduler:select_destinations"),
            Map.entry("reschedule", "scheduler:reschedule"),
            Map.entry("placement_sync", "scheduler:placement_sync:show"),
            Map.entry("simulations", "scheduler:simulations"),
            Map.entry("explanations", "scheduler:explanations"),
            Map.entry("proposals", "scheduler:what_if"),
            Map.entry("capacity", "scheduler:capacity"),
            Map.entry("what_if", "scheduler:what_if"),
            Map.entry("decisions", "scheduler:decisions:show"),
            Map.entry("shadow", "scheduler:decisions:show"),
            Map.entry("options", "scheduler:options:show"),
            Map.entry("caller", "scheduler:caller:show"),
            Map.entry("replica", "scheduler:replica:show"),
            Map.entry("changes", "scheduler:changes:show"),
            Map.entry("audit", "scheduler:audit:show"));

    private static final List<DefaultRule> RULES = List.of(
            DefaultRule.of("admin_api", "role:admin"),
            DefaultRule.of("service_api", "role:service"),
            DefaultRule.of("admin_or_service_api", "role:admin or role:service"),
            DefaultRule.of("reader_api", "!"),
            DefaultRule.of("admin_or_service_or_reader_api", "rule:admin_or_service_api or rule:reader_api"),
            DefaultRule.of("scheduler:select_destinations", ADMIN_OR_SERVICE),
            DefaultRule.of("scheduler:reschedule", ADMIN_OR_SERVICE),
            DefaultRule.of("scheduler:moves", ADMIN_OR_SERVICE),
            DefaultRule.of("scheduler:moves:show", READER),
            DefaultRule.of("scheduler:moves:confirm", ADMIN_OR_SERVICE),
            DefaultRule.of("scheduler:placement_sync:show", READER),
            DefaultRule.of("scheduler:simulations", READER),
            DefaultRule.of("scheduler:explanations", READER),
            DefaultRule.of("scheduler:what_if", READER),
            DefaultRule.of("scheduler:capacity", READER),
            DefaultRule.of("scheduler:capacity:update", ADMIN_OR_SERVICE),
            DefaultRule.of("scheduler:decisions:show", READER),
            DefaultRule.of("scheduler:options:show", READER),
            DefaultRule.of("scheduler:caller:show", READER),
            DefaultRule.of("scheduler:replica:show", READER),
            DefaultRule.of("scheduler:audit:show", "rule:admin_api"),
            DefaultRule.of("scheduler:changes:show", "rule:admin_api"),
            DefaultRule.of("scheduler:fleet:show", READER),
            DefaultRule.of("scheduler:fleet:update", ADMIN_OR_SERVICE),
            DefaultRule.of("scheduler:registry:show", READER),
            DefaultRule.of("scheduler:registry:update", ADMIN_OR_SERVICE),
            DefaultRule.of("scheduler:services:heartbeat", ADMIN_OR_SERVICE),
            DefaultRule.of("scheduler:drains:show", "rule:scheduler:what_if"),
            DefaultRule.of("scheduler:drains:next", "rule:scheduler:moves"),
            DefaultRule.of("scheduler:drains:update", "rule:scheduler:moves and rule:scheduler:registry:update"),
            DefaultRule.of("scheduler:other", ADMIN_OR_SERVICE));

    @Override
    public List<DefaultRule> rules() {
        return RULES;
    }

    /**
     * Returns the name of the rule that the caller of a request must pass. For a path without a rule of its own, this
     * is {@code scheduler:other}, which by default permits admin and service only.
     *
     * @param path normalized path of the request, beginning with a slash
     */
    public static String ruleOf(HttpMethod method, String path) {
        String[] segments = path.split("/");
        String resource = segments.length > 2 ? segments[2] : "";
        if (REGISTRY.contains(resource)) {
            if (method == HttpMethod.GET) {
                return "scheduler:registry:show";
            }
            boolean isHeartbeat = resource.equals("services")
                    && (segments.length == 5 && segments[4].equals("heartbeat")
                            || segments.length == 4 && segments[3].equals("heartbeats"));
            return isHeartbeat ? "scheduler:services:heartbeat" : "scheduler:registry:update";
        }
        if (resource.equals("capacity") && method != HttpMethod.GET && method != HttpMethod.POST) {
            return "scheduler:capacity:update";
        }
        if (resource.equals("moves")) {
            boolean isConfirm = segments.length == 5 && segments[4].equals("confirm");
            return method == HttpMethod.GET
                    ? "scheduler:moves:show"
                    : isConfirm
                            ? "scheduler:moves:confirm"
                            : "scheduler:moves";
        }
        if (resource.equals("drains")) {
            // "next" is a GET, but by default only callers that may make moves get the next moves of a drain.
            boolean isNext = segments.length == 5 && segments[4].equals("next");
            return method != HttpMethod.GET
                    ? "scheduler:drains:update"
                    : isNext ? "scheduler:drains:next" : "scheduler:drains:show";
        }
        if (resource.equals("fleet")) {
            return method == HttpMethod.GET ? "scheduler:fleet:show" : "scheduler:fleet:update";
        }
        return BY_RESOURCE.getOrDefault(resource, "scheduler:other");
    }
}
