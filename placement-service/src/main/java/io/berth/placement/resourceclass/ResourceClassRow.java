package io.berth.placement.resourceclass;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of {@code resource_classes}. */
@Entity
@Table(name = "resource_classes")
class ResourceClassRow {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    Integer id;

    String name;

    ResourceClassRow() {}

    ResourceClassRow(String name) {
        this.name = name;
    }
}
