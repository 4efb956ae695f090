package io.berth.scheduler.host.registry;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
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

    /** Characters of a record as JSON. A host with a thousand PCI devices and as many CPUs reports a third of that. */
    private static final int RECORD_MAX = 256 * 1_024;

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

    /** Throws ApiFault (413) where a record, as JSON, is longer than one may be. Aggregates and groups list what there is. */
    public void refuseTooLong(String body, String path) {
        if (isBounded() && body.length() > RECORD_MAX) {
            throw new ApiFault(
                    ErrorCode.BODY_TOO_LARGE,
                    path + ": a record of " + route + " has at most " + RECORD_MAX + " characters, this has " + body.length());
        }
    }

    /** Returns whether one that is stored, which PostgreSQL writes wider, is longer than those that are let in. */
    public boolean isTooLong(int storedCharacters) {
        return isBounded() && storedCharacters > 2 * RECORD_MAX;
    }

    private boolean isBounded() {
        return switch (this) {
            case CELLS, COMPUTE_NODES, SERVICES -> true;
            // What instances take in memory has a bound of its own.
            case HOST_AGGREGATES, SERVER_GROUPS, INSTANCES -> false;
        };
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
