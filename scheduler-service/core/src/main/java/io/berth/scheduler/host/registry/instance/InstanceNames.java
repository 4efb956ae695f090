package io.berth.scheduler.host.registry.instance;

import io.smallrye.mutiny.Uni;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Names of instances, as the system that owns the instances has them: Berth's registry, or nova's databases. */
public interface InstanceNames {
    /**
     * Returns names by uuid. Instances that are unknown, have no name, or are in a cell whose database does not respond
     * are missing.
     */
    Uni<Map<UUID, String>> namesOf(Collection<UUID> instances);

    /**
     * Returns the instances with this name, of each database at most {@link NameLookup#CANDIDATES_MAX} + 1: one more
     * than the error for an ambiguous name lists, so that this error can say that there are more. Fails if a database
     * does not respond.
     */
    Uni<List<NamedInstance>> find(String name);
}
