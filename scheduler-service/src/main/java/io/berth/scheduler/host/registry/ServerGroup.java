package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import java.util.Set;
import java.util.UUID;

/**
 * Instances that want to be together or apart.
 *
 * @param policy affinity, anti-affinity, soft-affinity or soft-anti-affinity
 * @param maxServerPerHost null for the policy's default
 * @param members instance uuids as text
 */
public record ServerGroup(UUID uuid, String name, String policy, Integer maxServerPerHost, Set<String> members)
        implements RegistryRecord {
    private static final Set<String> POLICIES =
            Set.of("affinity", "anti-affinity", "soft-affinity", "soft-anti-affinity");

    static ServerGroup read(UUID uuid, StrictObject body) {
        String name = body.text("name");
        String policy = body.oneOf("policy", POLICIES);
        StrictObject rules = body.object("rules");
        Integer max = rules == null ? null : rules.positive("max_server_per_host");
        if (rules != null) {
            rules.nothingElse();
        }
        body.text("project_id");
        body.text("user_id");
        return new ServerGroup(uuid, name, policy, max, Set.copyOf(body.uuidTexts("members")));
    }
}
