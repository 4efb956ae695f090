package io.berth.scheduler.host.registry.edit;

import io.berth.scheduler.host.registry.Collection;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;

/** One registered record: its checked JSON body and the version that guards against lost updates. */
@MappedSuperclass
abstract class RegistryRow {
    @Id
    UUID uuid;

    @Version
    long version;

    /** The column is jsonb; it travels as text, since the text is what we check and what we answer. */
    @Column(nullable = false)
    @ColumnTransformer(read = "body #>> '{}'", write = "cast(cast(? as text) as jsonb)")
    String body;

    /** An empty one. Entity and table have the collection's name. */
    static RegistryRow of(Collection collection) {
        return switch (collection) {
            case CELLS -> new CellRow();
            case COMPUTE_NODES -> new ComputeNodeRow();
            case SERVICES -> new ServiceRow();
            case HOST_AGGREGATES -> new HostAggregateRow();
            case SERVER_GROUPS -> new ServerGroupRow();
            case INSTANCES -> new InstanceRow();
        };
    }

    static Class<? extends RegistryRow> type(Collection collection) {
        return of(collection).getClass();
    }

    @Entity(name = "cells")
    static class CellRow extends RegistryRow {}

    @Entity(name = "compute_nodes")
    static class ComputeNodeRow extends RegistryRow {}

    @Entity(name = "services")
    static class ServiceRow extends RegistryRow {}

    @Entity(name = "host_aggregates")
    static class HostAggregateRow extends RegistryRow {}

    @Entity(name = "server_groups")
    static class ServerGroupRow extends RegistryRow {}

    @Entity(name = "instances")
    static class InstanceRow extends RegistryRow {}
}
