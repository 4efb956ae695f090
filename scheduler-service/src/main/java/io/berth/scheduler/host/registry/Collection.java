package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import java.util.UUID;

/** The registered collections: route and table name are the same word. */
public enum Collection {
    CELLS("cells", Cell::read),
    COMPUTE_NODES("compute_nodes", ComputeNode::read),
    SERVICES("services", ComputeService::read),
    HOST_AGGREGATES("host_aggregates", RegisteredAggregate::read),
    SERVER_GROUPS("server_groups", ServerGroup::read),
    INSTANCES("instances", RegisteredInstance::read);

    private final String route;
    private final BodyReader reader;

    Collection(String route, BodyReader reader) {
        this.route = route;
        this.reader = reader;
    }

    public String route() {
        return route;
    }

    /** Checks a body strictly and gives the record decisions use. Throws ApiFault with the path of what is wrong. */
    public RegistryRecord read(UUID uuid, StrictObject body) {
        RegistryRecord read = reader.read(uuid, body);
        body.nothingElse();
        return read;
    }

    /**
     * As {@link #read}, of what the feed reads: groups come with their seats, and members that a later version writes are
     * passed over.
     */
    public RegistryRecord readStored(UUID uuid, StrictObject body) {
        return this == SERVER_GROUPS ? ServerGroup.readSeated(uuid, body) : reader.read(uuid, body);
    }

    /** Throws IllegalArgumentException for a word that is no collection; routes cannot send one. */
    public static Collection ofRoute(String route) {
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
