package io.berth.scheduler.host.registry.snapshot;

import io.berth.scheduler.host.Place;
import io.berth.scheduler.host.registry.HostKeeper;
import io.quarkus.arc.DefaultBean;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * The source of the records of hosts: Berth's own database; or nova's databases (package {@code nova.database}), whose
 * records replace Berth's own. {@link #isForeign} returns true for nova's.
 */
public interface RegistrySource extends HostKeeper {
    /**
     * Returns the source's registries, with everything that was committed in its databases before the call. An
     * implementation documents the data that may be older. May complete on any thread. Called only if the source is
     * foreign.
     */
    Uni<RegistryLayers> current();

    /**
     * Returns the host and node of each instance that is on a host and has no open operation, such as a resize.
     * Instances that the source does not know, or that several cells have, are missing. Queries the source's databases;
     * fails if they do not respond, but instances of a cell that was already unavailable are only missing.
     */
    Uni<Map<UUID, Place>> placesWithoutOperation(Set<UUID> instances);

    /**
     * Returns how long a build that Berth placed and that its host does not report yet counts as an I/O operation of
     * the host; zero: not at all. Used only if the source is foreign.
     */
    Duration ownBuildsCounted();

    /**
     * Returns the names of the parts of the source, such as cells, that did not respond in time. Empty if all parts
     * responded, or if the whole source is unavailable.
     */
    List<String> silentParts();

    /** The source of a scheduler that was built without the module for nova: Berth's own database has all records. */
    @Singleton
    @DefaultBean
    final class OwnAlone implements RegistrySource {
        @Override
        public boolean isForeign() {
            return false;
        }

        @Override
        public Uni<RegistryLayers> current() {
            return Uni.createFrom().failure(() -> new IllegalStateException("no other system has records of hosts"));
        }

        @Override
        public Uni<Map<UUID, Place>> placesWithoutOperation(Set<UUID> instances) {
            return Uni.createFrom().item(Map.of());
        }

        @Override
        public Duration ownBuildsCounted() {
            return Duration.ZERO;
        }

        @Override
        public List<String> silentParts() {
            return List.of();
        }
    }
}
