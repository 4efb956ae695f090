package io.berth.scheduler.host.registry;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.json.StrictObject;
import java.util.UUID;

/** The collections of registered records. A collection's route below {@code /v1} and its table have the same name. */
public enum RecordCollection {
    CELLS("cells", Cell::read),
    COMPUTE_NODES("compute_nodes", ComputeNode::read),
    SERVICES("services", ComputeService::read),
    HOST_AGGREGATES("host_aggregates", RegisteredAggregate::read),
    SERVER_GROUPS("server_groups", ServerGroup::read),
    INSTANCES("instances", RegisteredInstance::read);

    /**
     * Maximum characters of a cell, compute node or service as JSON; a longer record is refused with 413. The report of
     * a host with a thousand PCI devices and a thousand CPUs has a third of that.
     */
    private static final int RECORD_MAX = 256 * 1_024;

    private final String route;
    private final BodyReader reader;

    RecordCollection(String route, BodyReader reader) {
        this.route = route;
        this.reader = reader;
    }

    /** Returns the name of the route and of the table. */
    public String route() {
        return route;
    }

    /** Parses a record in a request body. Throws ApiFault (400) with the path of an invalid or unknown member. */
    public RegistryRecord read(UUID uuid, StrictObject body) {
        RegistryRecord record = reader.read(uuid, body);
        body.refuseUnreadMembers();
        return record;
    }

    /**
     * Refuses a record whose JSON is longer than {@value #RECORD_MAX} characters with ApiFault (413). Three collections
     * have no limit per record: aggregates and groups, because their size grows with their members, and instances,
     * because {@code RegistrySnapshot} limits the memory of all instances together.
     *
     * @param path JSON path of the record in the request body, for the error
     */
    public void refuseTooLong(String body, String path) {
        if (isBounded() && body.length() > RECORD_MAX) {
            throw new ApiFault(
                    ErrorCode.BODY_TOO_LARGE,
                    path + ": a record of " + route + " has at most " + RECORD_MAX + " characters, this has "
                            + body.length());
        }
    }

    /**
     * Returns whether a stored record is longer than any record that {@link #refuseTooLong} accepts; false in the
     * collections without a limit. The limit is twice that of a request, because PostgreSQL's text of a jsonb value has
     * additional blanks.
     */
    public boolean isTooLong(int storedCharacters) {
        return isBounded() && storedCharacters > 2 * RECORD_MAX;
    }

    private boolean isBounded() {
        return switch (this) {
            case CELLS, COMPUTE_NODES, SERVICES -> true;
            case HOST_AGGREGATES, SERVER_GROUPS, INSTANCES -> false;
        };
    }

    /**
     * Parses a stored record. Unlike {@link #read}, ignores unknown members of the record itself, which a newer version
     * of Berth may have written. Reads a server group in the form of the view {@code server_groups_in_use}, with its
     * reservations.
     */
    public RegistryRecord readStored(UUID uuid, StrictObject body) {
        return this == SERVER_GROUPS ? ServerGroup.readWithReservations(uuid, body) : reader.read(uuid, body);
    }

    /** Returns the collection with this route. Throws IllegalArgumentException if none has it. */
    public static RecordCollection ofRoute(String route) {
        for (RecordCollection collection : values()) {
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
