package io.berth.placement.trait;

import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** A row of {@code traits}. */
@Entity
@Table(name = "traits")
class TraitRow {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @SuppressWarnings("NullAway.Init")
    Integer id;

    String name;

    TraitRow() {}

    TraitRow(String name) {
        this.name = name;
    }
}
