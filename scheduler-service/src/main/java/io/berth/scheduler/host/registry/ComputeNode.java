package io.berth.scheduler.host.registry;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;

/**
 * A compute node and what it reported. A later record of its service, aggregates or instances adds to the report or
 * replaces it.
 *
 * @param state as reported, without uuid and candidates
 * @param provider what the report says to placement; null if nothing
 */
public record ComputeNode(UUID uuid, HostState state, @Nullable ProviderReport provider) implements RegistryRecord {
    static ComputeNode read(UUID uuid, StrictObject body) {
        HostNames.one(body, "host");
        return new ComputeNode(uuid, HostReport.read(body), ProviderReport.read(body));
    }

    /** As it would report without that instance, which it has counted. */
    public ComputeNode without(UUID instance) {
        Map<String, RunningInstance> others = new HashMap<>(state.instances());
        others.remove(instance.toString());
        return new ComputeNode(
                uuid,
                state.toBuilder().numInstances(Math.max(0, state.numInstances() - 1)).instances(others).build(),
                provider);
    }

    public String host() {
        return state.host();
    }

    /** The hypervisor's host name. */
    public String nodename() {
        return state.nodename();
    }

    /** Null when the node is in no cell. */
    public @Nullable String cellUuid() {
        return state.cellUuid();
    }
}
