package io.berth.scheduler.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.berth.scheduler.host.registry.RecordCollection;
import io.berth.scheduler.host.registry.RegistryRecord;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.json.StrictObject;
import java.time.Instant;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Tests which availability zones the capacity watches count. */
class WatchedZonesTest {
    private final Map<RecordCollection, Map<UUID, RegistryRecord>> records = new EnumMap<>(RecordCollection.class);

    private void put(RecordCollection collection, ObjectNode body) {
        UUID uuid = UUID.randomUUID();
        records.computeIfAbsent(collection, _ -> new HashMap<>())
                .put(uuid, collection.read(uuid, new StrictObject(body, "$")));
    }

    private void zone(String zone, String host) {
        ObjectNode aggregate = JsonNodeFactory.instance.objectNode().put("name", zone);
        aggregate.putArray("hosts").add(host);
        aggregate.putObject("metadata").put("availability_zone", zone);
        put(RecordCollection.HOST_AGGREGATES, aggregate);
    }

    private void service(String host) {
        put(RecordCollection.SERVICES, JsonNodeFactory.instance.objectNode().put("host", host));
    }

    private Set<String> zones() {
        return Watches.zones(RegistrySnapshot.EMPTY.after(records, Instant.EPOCH), "nova");
    }

    @Test
    void includesTheDefaultZoneIfAHostIsInNoOther() {
        assertThat(zones()).containsExactly("nova");
        zone("az-1", "a");
        service("a");
        assertThat(zones()).containsExactly("az-1");
        service("b");
        assertThat(zones()).containsExactly("az-1", "nova");
        zone("az-2", "b");
        assertThat(zones()).containsExactly("az-1", "az-2");
    }
}
