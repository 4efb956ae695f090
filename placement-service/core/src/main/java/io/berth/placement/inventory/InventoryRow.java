package io.berth.placement.inventory;

import io.berth.placement.fleet.Inventory;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.NamedQuery;
import jakarta.persistence.Table;
import java.time.Instant;

/**
 * A row of {@code inventories}. This entity never writes {@code used}: {@link InventoryStore} sets it after an
 * insertion, and the ledger and the audit change it.
 */
@Entity
@NamedQuery(name = InventoryRow.OF_PROVIDER,
        query = "from InventoryRow where providerId = :provider order by resourceClassId")
@Table(name = "inventories")
@IdClass(InventoryRow.Key.class)
class InventoryRow {
    /** The query for the inventories of a provider, by ascending class id. Param: {@code :provider}, its id. */
    static final String OF_PROVIDER = "InventoryRow.ofProvider";

    /** The primary key. */
    record Key(Long providerId, Integer resourceClassId) {}

    @Id
    @Column(name = "provider_id")
    Long providerId;

    @Id
    @Column(name = "resource_class_id")
    Integer resourceClassId;

    int total;
    int reserved;

    @Column(name = "min_unit")
    int minUnit;

    @Column(name = "max_unit")
    int maxUnit;

    @Column(name = "step_size")
    int stepSize;

    @Column(name = "allocation_ratio")
    double allocationRatio;

    @Column(insertable = false, updatable = false)
    long used;

    @Column(name = "updated_at")
    Instant updatedAt;

    InventoryRow() {}

    InventoryRow(long providerId, int resourceClassId, Inventory inventory, Instant now) {
        this.providerId = providerId;
        this.resourceClassId = resourceClassId;
        set(inventory, now);
    }

    /** Sets all columns but the key and {@code used}. */
    final void set(Inventory inventory, Instant now) {
        total = inventory.total();
        reserved = inventory.reserved();
        minUnit = inventory.minUnit();
        maxUnit = inventory.maxUnit();
        stepSize = inventory.stepSize();
        allocationRatio = inventory.allocationRatio();
        updatedAt = now;
    }
}
