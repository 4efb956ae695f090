package io.berth.scheduler.host.registry;

import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.json.StrictObject;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;

/**
 * A host aggregate.
 *
 * @param facts id, uuid, name and metadata, as filters and weighers read them
 * @param hosts names of the hosts of compute services, not of compute nodes
 */
public record RegisteredAggregate(UUID uuid, HostAggregate facts, Set<String> hosts) implements RegistryRecord {
    static RegisteredAggregate read(UUID uuid, StrictObject body) {
        return new RegisteredAggregate(
                uuid,
                new HostAggregate(
                        body.longOrNull("id"),
                        uuid.toString(),
                        HostNames.readRequired(body, "name"),
                        body.map("metadata", StrictObject.TEXT)),
                HostNames.readHosts(body));
    }

    @Override
    public long ownBytes() {
        return HeapEstimate.of(metadata());
    }

    public String name() {
        // Both the registry and nova's databases give a name to each aggregate.
        return Objects.requireNonNull(facts.name());
    }

    public Map<String, String> metadata() {
        return facts.metadata();
    }
}
