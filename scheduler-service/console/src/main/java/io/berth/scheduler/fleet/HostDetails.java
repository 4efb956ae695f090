package io.berth.scheduler.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.HostAggregate;
import io.berth.scheduler.host.RunningInstance;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.placementsync.RatioSources;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/** Renders the response to {@code GET /v1/fleet/{uuid}}: one host's data in placement and in the registry. */
final class HostDetails {
    /** The maximum number of instances that the response lists; {@code instance_count} counts all instances. */
    private static final int INSTANCES_MAX = 1_000;

    private HostDetails() {}

    /**
     * Renders the host without the names of its instances.
     *
     * @param tree placement's JSON of the provider tree, whose list {@code providers} begins with the root
     */
    static ObjectNode render(JsonNode tree, RegistrySnapshot registry, RatioSources ratios, Duration serviceDownTime) {
        JsonNode root = tree.path("providers").path(0);
        UUID uuid = Uuids.find(root.path("uuid").asText());
        ComputeNode node = uuid == null ? null : registry.findComputeNode(uuid);
        String host = node == null ? root.path("name").asText() : node.host();
        List<HostAggregate> aggregates = registry.aggregatesOf(host);

        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.putObject("as_of")
                .put("fleet_version", tree.path("position").asLong())
                .put("replica", tree.path("replica").asText())
                .put("registry_version", registry.number())
                .put("time", tree.path("time").asText());
        json.put("uuid", root.path("uuid").asText());
        json.put("host", host);
        json.put("registered", node != null);
        json.put("zone", Zones.of(aggregates));
        json.put("cell_uuid", node == null ? null : node.cellUuid());
        json.put("hypervisor_type", node == null ? null : node.state().hypervisorType());
        json.put("failed_builds", node == null ? 0 : node.state().failedBuilds());
        putService(json, registry, host, serviceDownTime);
        ArrayNode aggregateList = json.putArray("host_aggregates");
        for (HostAggregate aggregate : aggregates) {
            ObjectNode each = aggregateList.addObject().put("uuid", aggregate.uuid()).put("name", aggregate.name());
            aggregate.metadata().forEach(each.putObject("metadata")::put);
        }
        instances(json, registry.instancesOn(host, node == null ? host : node.nodename()));
        ArrayNode providers = json.putArray("providers");
        for (JsonNode provider : tree.path("providers")) {
            providers.add(withSources(provider.deepCopy(), registry, ratios));
        }
        return json;
    }

    /** Returns the uuids of the instances that a host from {@link #render} lists. */
    static List<UUID> instances(ObjectNode host) {
        return host.path("instances").valueStream().map(uuid -> Uuids.find(uuid.asText())).filter(Objects::nonNull)
                .toList();
    }

    /** Adds the names of instances by uuid, and returns the JSON text. Instances without a name are missing. */
    static String renderWithNames(ObjectNode host, Map<UUID, String> names) {
        ObjectNode byUuid = host.putObject("instance_names");
        names.forEach((uuid, name) -> byUuid.put(uuid.toString(), name));
        return host.toString();
    }

    private static void putService(ObjectNode json, RegistrySnapshot registry, String host, Duration serviceDownTime) {
        ComputeService service = registry.findService(host);
        json.put("state", ServiceState.of(service, registry, serviceDownTime).wireName());
        if (service == null) {
            json.putNull("service");
            return;
        }
        json.putObject("service")
                .put("uuid", service.uuid().toString())
                .put("disabled", service.disabled())
                .put("disabled_reason", service.disabledReason())
                .put("forced_down", service.forcedDown())
                .put("last_heartbeat", service.lastHeartbeat().toString());
    }

    private static void instances(ObjectNode json, Map<String, RunningInstance> running) {
        json.put("instance_count", running.size());
        ArrayNode uuids = json.putArray("instances");
        running.keySet().stream().sorted().limit(INSTANCES_MAX).forEach(uuids::add);
    }

    /**
     * Adds a member {@code set_by} to each inventory of a provider: the system that sets the allocation ratio, such as
     * the compute node.
     */
    private static ObjectNode withSources(ObjectNode provider, RegistrySnapshot registry, RatioSources ratios) {
        UUID uuid = Uuids.find(provider.path("uuid").asText());
        @Nullable ComputeNode node = uuid == null ? null : registry.findComputeNode(uuid);
        provider.path("inventories").properties().forEach(
                inventory -> ((ObjectNode) inventory.getValue())
                        .put("set_by", ratios.sourceOf(node, inventory.getKey()).wireName()));
        return provider;
    }
}
