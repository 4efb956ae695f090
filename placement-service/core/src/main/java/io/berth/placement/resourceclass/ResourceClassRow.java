package io.berth.placement.resourceclass;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;

/** A row of {@code resource_classes}. */
@Entity
@Table(name = "resource_classes")
class ResourceClassRow {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @SuppressWarnings("NullAway.Init")
    Integer id;

    String name;

    /** The time of the last change of the name. The database sets it in a new row. */
    @Column(name = "updated_at", insertable = false)
    @SuppressWarnings("NullAway.Init")
    Instant updatedAt;

    ResourceClassRow() {}

    ResourceClassRow(String name) {
        this.name = name;
    }
}
