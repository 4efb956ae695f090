package io.berth.scheduler.host.registry;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.json.StrictObject;
import java.util.UUID;

/** The registered collections; route and table have the same name. */
public enum Collection {
    CELLS("cells", Cell::read),
    COMPUTE_NODES("compute_nodes", ComputeNode::read),
    SERVICES("services", ComputeService::read),
    HOST_AGGREGATES("host_aggregates", RegisteredAggregate::read),
    SERVER_GROUPS("server_groups", ServerGroup::read),
    INSTANCES("instances", RegisteredInstance::read);

    /**
     * Maximum characters of a record as JSON. A host with a thousand PCI devices and as many CPUs reports a third of
     * that.
     */
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

    /** Checks a body strictly and returns the record that decisions use. Throws ApiFault with the path of the error. */
    public RegistryRecord read(UUID uuid, StrictObject body) {
        RegistryRecord read = reader.read(uuid, body);
        body.nothingElse();
        return read;
    }

    /**
     * Throws ApiFault (413) if the JSON of a record is longer than the limit. Aggregates and groups have no limit,
     * because they list members.
     */
    public void refuseTooLong(String body, String path) {
        if (isBounded() && body.length() > RECORD_MAX) {
            throw new ApiFault(
                    ErrorCode.BODY_TOO_LARGE,
                    path + ": a record of " + route + " has at most " + RECORD_MAX + " characters, this has " + body.length());
        }
    }

    /**
     * Returns whether a stored record is longer than an accepted one can be. The limit is doubled, because PostgreSQL's
     * text has more blanks.
     */
    public boolean isTooLong(int storedCharacters) {
        return isBounded() && storedCharacters > 2 * RECORD_MAX;
    }

    private boolean isBounded() {
        return switch (this) {
            case CELLS, COMPUTE_NODES, SERVICES -> true;
            // The memory of instances has its own bound.
            case HOST_AGGREGATES, SERVER_GROUPS, INSTANCES -> false;
        };
    }

    /**
     * Like {@link #read}, for a record that the feed reads: groups come with their reservations, and unknown members,
     * which a later version wrote, are ignored.
     */
    public RegistryRecord readStored(UUID uuid, StrictObject body) {
        return this == SERVER_GROUPS ? ServerGroup.readSeated(uuid, body) : reader.read(uuid, body);
    }

    /** Throws IllegalArgumentException for a name that is no collection; routes cannot send one. */
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
