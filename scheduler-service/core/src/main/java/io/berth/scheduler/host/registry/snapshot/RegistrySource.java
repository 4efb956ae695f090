package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.HostKeeper;
import io.smallrye.mutiny.Uni;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Somebody else's records of hosts, which count in the place of Berth's own while it {@link #isForeign}. */
public interface RegistrySource extends HostKeeper {
    /** Holds what was committed there before the call, but for what the source says it may lack. May come on any thread. */
    Uni<RegistryLayers> current();

    /**
     * Where those of the instances are that are on a host and with which nothing is done, as far as can be said. Asked there
     * each time; fails where it does not answer.
     */
    Uni<Map<UUID, Place>> settled(Set<UUID> instances);

    /** How long a build that Berth placed counts as an I/O operation before its host reports it; zero: not at all. */
    Duration ownBuildsCounted();

    /** Names of the parts that alone are waited for now; empty where they were all told, or more than parts of it is late. */
    List<String> late();
}
