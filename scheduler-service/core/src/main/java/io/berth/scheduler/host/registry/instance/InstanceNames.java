package io.berth.scheduler.host.registry.instance;

import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Names of instances, as the system that owns the instances has them: Berth's registry, or nova's databases. */
public interface InstanceNames {
    /** Returns names by uuid. Instances that are unknown or have no name are missing. */
    Uni<Map<UUID, String>> namesOf(Collection<UUID> instances);

    /**
     * Returns the instances with this name, at most {@link NameLookup#CANDIDATES_MAX} + 1. The additional instance
     * shows that more instances have the name than an error lists.
     */
    Uni<List<NamedInstance>> find(String name);
}
