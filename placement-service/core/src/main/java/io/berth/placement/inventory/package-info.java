/**
 * Reads and writes the inventories of a provider: {@code /resource_providers/{uuid}/inventories} and the routes below
 * it.
 *
 * <p>Entry point: {@link io.berth.placement.inventory.InventoriesEndpoint}. The package {@code ledger}
 * maintains the used amount of an inventory; this package only sets its initial value. The packages {@code reshaper},
 * {@code overview} and {@code candidate.scenario} read and write inventories with
 * {@link io.berth.placement.inventory.InventoryJson}.
 */
package io.berth.placement.inventory;
