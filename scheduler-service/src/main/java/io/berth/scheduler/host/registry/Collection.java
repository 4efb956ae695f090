package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import java.util.UUID;
import java.util.function.Supplier;

/** The registered collections: route and table name are the same word. */
public enum Collection {
    CELLS("cells", CellRow.class, CellRow::new, Cell::read),
    COMPUTE_NODES("compute_nodes", ComputeNodeRow.class, ComputeNodeRow::new, ComputeNode::read),
    SERVICES("services", ServiceRow.class, ServiceRow::new, ComputeService::read),
    HOST_AGGREGATES("host_aggregates", HostAggregateRow.class, HostAggregateRow::new, RegisteredAggregate::read),
    SERVER_GROUPS("server_groups", ServerGroupRow.class, ServerGroupRow::new, ServerGroup::read),
    INSTANCES("instances", InstanceRow.class, InstanceRow::new, RegisteredInstance::read);

    private final String route;
    private final Class<? extends RegistryRow> rowType;
    private final Supplier<? extends RegistryRow> newRow;
    private final BodyReader reader;

    Collection(
            String route,
            Class<? extends RegistryRow> rowType,
            Supplier<? extends RegistryRow> newRow,
            BodyReader reader) {
        this.route = route;
        this.rowType = rowType;
        this.newRow = newRow;
        this.reader = reader;
    }

    public String route() {
        return route;
    }

    Class<? extends RegistryRow> rowType() {
        return rowType;
    }

    RegistryRow newRow() {
        return newRow.get();
    }

    /** Checks a body strictly and gives the record decisions use. Throws ApiFault with the path of what is wrong. */
    RegistryRecord read(UUID uuid, StrictObject body) {
        RegistryRecord read = reader.read(uuid, body);
        body.nothingElse();
        return read;
    }

    /** As {@link #read}, of what the feed reads: groups come with their seats. */
    RegistryRecord readStored(UUID uuid, StrictObject body) {
        return this == SERVER_GROUPS ? ServerGroup.readSeated(uuid, body) : read(uuid, body);
    }

    /** Throws IllegalArgumentException for a word that is no collection; routes cannot send one. */
    static Collection ofRoute(String route) {
        for (Collection collection : values()) {
            if (collection.route.equals(route)) {
                return collection;
            }
        }
        throw new IllegalArgumentException(route);
    }

    private interface BodyReader {
        RegistryRecord read(UUID uuid, StrictObject body);
    }
}
