package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.config.InventoryOptions;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.http.JsonBody;
import io.berth.scheduler.json.StrictObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/** Builder of registry snapshots for tests, as of a fixed instant. */
public final class Registries {
    private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

    private final Map<RecordCollection, Map<UUID, RegistryRecord>> records = new EnumMap<>(RecordCollection.class);

    public Registries computeNode(String uuid, String json) {
        return add(RecordCollection.COMPUTE_NODES, uuid, json);
    }

    /** Applies the defaults of the options to the nodes added so far, as the feed does. */
    public Registries under(InventoryOptions options) {
        records.get(RecordCollection.COMPUTE_NODES)
                .replaceAll((uuid, node) -> ((ComputeNode) node).withDefaultsFrom(options));
        return this;
    }

    public Registries aggregate(String uuid, String json) {
        return add(RecordCollection.HOST_AGGREGATES, uuid, json);
    }

    public Registries serverGroup(String uuid, String json) {
        return add(RecordCollection.SERVER_GROUPS, uuid, json);
    }

    public Registries instance(String uuid, String json) {
        return add(RecordCollection.INSTANCES, uuid, json);
    }

    public Registries cell(String uuid, String json) {
        return add(RecordCollection.CELLS, uuid, json);
    }

    public Registries service(String uuid, String json, int secondsSinceHeartbeat) {
        add(RecordCollection.SERVICES, uuid, json);
        ((ComputeService) records.get(RecordCollection.SERVICES).get(UUID.fromString(uuid)))
                .setLastHeartbeat(NOW.minusSeconds(secondsSinceHeartbeat));
        return this;
    }

    private Registries add(RecordCollection collection, String uuid, String json) {
        UUID key = UUID.fromString(uuid);
        var body = new StrictObject(JsonBody.parse(json.getBytes(StandardCharsets.UTF_8)), "$");
        records.computeIfAbsent(collection, made -> new LinkedHashMap<>()).put(key, collection.read(key, body));
        return this;
    }

    public Registries without(String uuid) {
        records.computeIfAbsent(RecordCollection.INSTANCES, made -> new LinkedHashMap<>())
                .put(UUID.fromString(uuid), null);
        return this;
    }

    /** Returns the earlier snapshot with the records added since the last call, so many seconds after the instant. */
    public RegistrySnapshot after(RegistrySnapshot before, int seconds) {
        RegistrySnapshot after = before.after(new EnumMap<>(records), NOW.plusSeconds(seconds));
        records.clear();
        return after;
    }

    /** Returns a snapshot in which the given instances are builds that their host has not reported. */
    public RegistrySnapshot withBuilds(String... instances) {
        RegistrySnapshot before =
                RegistrySnapshot.ofAllHosts(Long.MAX_VALUE).withOwnBuilds(OwnBuilds.countedFor(Duration.ofMinutes(1)));
        RegistrySnapshot after = before.after(records, NOW);
        Set<UUID> placed = Arrays.stream(instances).map(UUID::fromString).collect(Collectors.toSet());
        return after.withOwnBuilds(before.ownBuilds().after(before, after, placed, there -> false, 0));
    }

    /** Returns a snapshot that is marked as listing all hosts. */
    public RegistrySnapshot snapshotOfAllHosts() {
        return RegistrySnapshot.ofAllHosts(Long.MAX_VALUE).after(records, NOW);
    }

    public RegistrySnapshot snapshot() {
        return RegistrySnapshot.EMPTY.after(records, NOW);
    }
}
