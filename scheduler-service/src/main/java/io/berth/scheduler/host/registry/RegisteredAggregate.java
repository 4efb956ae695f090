package io.berth.scheduler.host.registry;

import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A host aggregate.
 *
 * @param id nova's number of it, 0 if unknown
 * @param hosts names of compute services, not of nodes
 */
public record RegisteredAggregate(UUID uuid, int id, String name, Map<String, String> metadata, Set<String> hosts)
        implements RegistryRecord {
    static RegisteredAggregate read(UUID uuid, StrictObject body) {
        return new RegisteredAggregate(
                uuid,
                body.integer("id", 0),
                body.requiredText("name"),
                body.textMap("metadata"),
                Set.copyOf(body.texts("hosts")));
    }
}
