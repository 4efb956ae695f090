package io.berth.placement.provider;

import jakarta.annotation.Nullable;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.UUID;

/**
 * A row of {@code resource_providers}. This entity never writes {@code generation}: {@link
 * io.berth.placement.db.CatalogueWrite#bumpGeneration}, the ledger and the audit do.
 */
@Entity
@Table(name = "resource_providers")
class ProviderRow {
    /**
     * The id. {@link ProviderStore} takes it from the sequence before it inserts the row, because the {@link #rootId}
     * of a root is its own id.
     */
    @Id
    Long id;

    UUID uuid;
    String name;

    @Column(insertable = false, updatable = false)
    int generation;

    @Column(name = "parent_id")
    @Nullable Long parentId;

    @Column(name = "root_id")
    Long rootId;

    /** The time of the last change of the row. The database sets the time in a new row. */
    @Column(name = "updated_at", insertable = false)
    @SuppressWarnings("NullAway.Init")
    Instant updatedAt;

    ProviderRow() {}

    ProviderRow(long id, UUID uuid, String name, @Nullable Long parentId, long rootId) {
        this.id = id;
        this.uuid = uuid;
        this.name = name;
        this.parentId = parentId;
        this.rootId = rootId;
    }

    /** Returns the provider as responses show it; {@code parentUuid} is null for a root. */
    ResourceProvider toProvider(@Nullable UUID parentUuid, UUID rootUuid) {
        return new ResourceProvider(uuid, name, generation, parentUuid, rootUuid, updatedAt.toEpochMilli());
    }
}
