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

    /** Returns the names of the parts that are late, such as cells; empty if none is, or if the whole source is. */
    List<String> late();

    /** The source of a scheduler that was built without nova: Berth's own records are the only ones. */
    @Singleton
    @DefaultBean
    final class OwnAlone implements RegistrySource {
        private static final Duration OWN_BUILDS_COUNTED = Duration.ofMinutes(1);

        @Override
        public boolean isForeign() {
            return false;
        }

        @Override
        public Uni<RegistryLayers> current() {
            return Uni.createFrom().failure(() -> new IllegalStateException("no other system has records of hosts"));
        }

        @Override
        public Uni<Map<UUID, Place>> settled(Set<UUID> instances) {
            return Uni.createFrom().item(Map.of());
        }

        @Override
        public Duration ownBuildsCounted() {
            return OWN_BUILDS_COUNTED;
        }

        @Override
        public List<String> late() {
            return List.of();
        }
    }
}
