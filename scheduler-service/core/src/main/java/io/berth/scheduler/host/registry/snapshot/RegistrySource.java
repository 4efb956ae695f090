package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.HostKeeper;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Another system's records of hosts, which replace Berth's own while it {@link #isForeign}. */
public interface RegistrySource extends HostKeeper {
    /**
     * Returns everything committed there before the call, except for data that the source documents as possibly
     * missing. May complete on any thread.
     */
    Uni<RegistryLayers> current();

    /**
     * Returns the places of those instances that are on a host and have no operation in progress, as far as known.
     * Queries the source each time; fails if it does not respond.
     */
    Uni<Map<UUID, Place>> settled(Set<UUID> instances);

    /**
     * Returns how long a build that Berth placed counts as an I/O operation before its host reports it; zero: not at
     * all.
     */
    Duration ownBuildsCounted();

    /** Returns the names of the parts that alone are late; empty if none is, or if more than single parts is late. */
    List<String> late();
}
