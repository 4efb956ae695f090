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
 * in OpenStack's placement; a few rules are for admin only. {@code reader_api} grants read-only operations to further
 * callers. Its default matches no caller, because responses contain data of all projects; a policy file may redefine
 * it. nova-scheduler has no HTTP API, so the names of rules follow placement's.
 */
@Singleton
public final class SchedulerRules implements PolicyDefaults {
    private static final String ADMIN_OR_SERVICE = "rule:admin_or_service_api";
    private static final String READER = "rule:admin_or_service_or_reader_api";
    private static final Set<String> REGISTRY =
            Set.of("cells", "compute_nodes", "services", "host_aggregates", "server_groups", "instances");
    /** Rules by the first path segment below {@code /v1}, for all methods. */
    private static final Map<String, String> BY_PART = Map.ofEntries(
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
     * Returns the name of the rule that a request must satisfy. A path without a rule has {@code scheduler:other},
     * which permits admin and service only.
     *
     * @param path normalized path of the request, beginning with a slash
     */
    public static String ruleOf(HttpMethod method, String path) {
        String[] parts = path.split("/");
        String part = parts.length > 2 ? parts[2] : "";
        if (REGISTRY.contains(part)) {
            if (method == HttpMethod.GET) {
                return "scheduler:registry:show";
            }
            boolean heartbeat = part.equals("services")
                    && (parts.length == 5 && parts[4].equals("heartbeat")
                            || parts.length == 4 && parts[3].equals("heartbeats"));
            return heartbeat ? "scheduler:services:heartbeat" : "scheduler:registry:update";
        }
        if (part.equals("capacity") && method != HttpMethod.GET && method != HttpMethod.POST) {
            return "scheduler:capacity:update";
        }
        if (part.equals("moves")) {
            boolean confirms = parts.length == 5 && parts[4].equals("confirm");
            return method == HttpMethod.GET
                    ? "scheduler:moves:show"
                    : confirms
                            ? "scheduler:moves:confirm"
                            : "scheduler:moves";
        }
        if (part.equals("drains")) {
            boolean isNext = parts.length == 5 && parts[4].equals("next");
            return method != HttpMethod.GET
                    ? "scheduler:drains:update"
                    : isNext ? "scheduler:drains:next" : "scheduler:drains:show";
        }
        if (part.equals("fleet")) {
            return method == HttpMethod.GET ? "scheduler:fleet:show" : "scheduler:fleet:update";
        }
        return BY_PART.getOrDefault(part, "scheduler:other");
    }
}
