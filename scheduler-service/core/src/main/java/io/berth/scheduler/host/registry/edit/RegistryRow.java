package io.berth.scheduler.host.registry.edit;

import io.berth.scheduler.host.registry.RecordCollection;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;
import java.util.List;
import java.util.UUID;
import org.hibernate.annotations.ColumnTransformer;

/** The row of one registered record: its JSON body, and the version by which Hibernate detects lost updates. */
@MappedSuperclass
abstract class RegistryRow {
    @Id
    UUID uuid;

    @Version
    long version;

    /** The record without uuid and version. The column is jsonb; Hibernate reads and writes it as text. */
    @Column(nullable = false)
    @ColumnTransformer(read = "body #>> '{}'", write = "cast(cast(? as text) as jsonb)")
    String body;

    /** Returns an empty row of the collection. The row's entity and table have the collection's name. */
    static RegistryRow of(RecordCollection collection) {
        return switch (collection) {
            case CELLS -> new CellRow();
            case COMPUTE_NODES -> new ComputeNodeRow();
            case SERVICES -> new ServiceRow();
            case HOST_AGGREGATES -> new HostAggregateRow();
            case SERVER_GROUPS -> new ServerGroupRow();
            case INSTANCES -> new InstanceRow();
        };
    }

    static Class<? extends RegistryRow> type(RecordCollection collection) {
        return of(collection).getClass();
    }

    /**
     * Returns the members by which a list can be filtered and sorted, besides the uuid. Each member has a column that
     * PostgreSQL generates from the body.
     */
    static List<String> members(RecordCollection collection) {
        return switch (collection) {
            case CELLS, HOST_AGGREGATES -> List.of("name");
            case COMPUTE_NODES -> List.of("host", "nodename");
            case SERVICES, INSTANCES -> List.of("host");
            case SERVER_GROUPS -> List.of();
        };
    }

    @Entity(name = "cells")
    static class CellRow extends RegistryRow {
        @Column(insertable = false, updatable = false)
        String name;
    }

    @Entity(name = "compute_nodes")
    static class ComputeNodeRow extends RegistryRow {
        @Column(insertable = false, updatable = false)
        String host;

        @Column(insertable = false, updatable = false)
        String nodename;
    }

    @Entity(name = "services")
    static class ServiceRow extends RegistryRow {
        @Column(insertable = false, updatable = false)
        String host;
    }

    @Entity(name = "host_aggregates")
    static class HostAggregateRow extends RegistryRow {
        @Column(insertable = false, updatable = false)
        String name;
    }

    @Entity(name = "server_groups")
    static class ServerGroupRow extends RegistryRow {}

    @Entity(name = "instances")
    static class InstanceRow extends RegistryRow {
        @Column(insertable = false, updatable = false)
        String host;
    }
}
