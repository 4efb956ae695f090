package io.berth.placement.identity;

import io.berth.identity.policy.DefaultRule;
import io.berth.identity.policy.PolicyDefaults;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The policy rules and their defaults. Roles admin and service may use all of upstream's routes but the reshaper, which
 * is for role service (also for role admin, while the deprecated defaults are enabled). Role reader may see the usages
 * of its own project. Berth's own routes are for roles admin and service, except that operators' changes and audits are
 * for role admin. Source: upstream {@code placement/policies}, with its deprecated defaults.
 */
@Singleton
public final class PlacementRules implements PolicyDefaults {
    private static final String ADMIN_OR_SERVICE = "rule:admin_or_service_api";
    /**
     * Upstream's deprecated check. While the deprecated defaults are enabled, a rule with this check also allows role
     * admin.
     */
    private static final String DEPRECATED_CHECK = "role:admin";

    /** Rules that other rules may refer to; no route checks them directly. */
    private static final List<DefaultRule> BASE_RULES = List.of(
            DefaultRule.of("admin_api", "role:admin"),
            new DefaultRule("service_api", "role:service", DEPRECATED_CHECK),
            new DefaultRule("admin_or_service_api", "role:admin or role:service", DEPRECATED_CHECK),
            new DefaultRule("project_reader_api", "role:reader and project_id:%(project_id)s", DEPRECATED_CHECK),
            new DefaultRule(
                    "admin_or_project_reader_or_service_api",
                    "role:admin or rule:project_reader_api or role:service", DEPRECATED_CHECK));

    /** The operations for roles admin and service. */
    private static final List<String> FOR_ADMIN_OR_SERVICE = List.of(
            "resource_providers:list", "resource_providers:create", "resource_providers:show",
            "resource_providers:update", "resource_providers:delete",
            "resource_classes:list", "resource_classes:create", "resource_classes:show",
            "resource_classes:update", "resource_classes:delete",
            "resource_providers:inventories:list", "resource_providers:inventories:create",
            "resource_providers:inventories:show", "resource_providers:inventories:update",
            "resource_providers:inventories:delete",
            "resource_providers:aggregates:list", "resource_providers:aggregates:update",
            "resource_providers:usages",
            "traits:list", "traits:show", "traits:update", "traits:delete",
            "resource_providers:traits:list", "resource_providers:traits:update", "resource_providers:traits:delete",
            "allocations:manage", "allocations:list", "allocations:update", "allocations:delete",
            "resource_providers:allocations:list",
            "allocation_candidates:list");

    private final List<DefaultRule> rules;

    PlacementRules() {
        List<DefaultRule> all = new ArrayList<>(BASE_RULES);
        Stream.concat(
                FOR_ADMIN_OR_SERVICE.stream().map(operation -> rule(operation, ADMIN_OR_SERVICE)),
                Stream.of(
                        rule("usages", "rule:admin_or_project_reader_or_service_api"),
                        rule("reshaper:reshape", "rule:service_api"),
                        // The operations of Berth's own routes that have no rule of upstream.
                        rule("allocations:settle", ADMIN_OR_SERVICE),
                        rule("changes:show", "rule:admin_api"),
                        rule("audit:show", "rule:admin_api"),
                        rule("audit:apply", "rule:admin_api")))
                .forEach(all::add);
        rules = List.copyOf(all);
    }

    private static DefaultRule rule(String operation, String check) {
        return DefaultRule.of("placement:" + operation, check);
    }

    @Override
    public List<DefaultRule> rules() {
        return rules;
    }
}
