/**
 * Reads and writes the inventories of a provider: {@code /resource_providers/{uuid}/inventories} and the routes below
 * it.
 *
 * <p>Entry point: {@link io.berth.placement.inventory.InventoriesEndpoint}. The ledger maintains the use of
 * inventories; this package writes only its initial value. The packages {@code reshaper}, {@code overview} and {@code
 * candidate.scenario} use the JSON of this one.
 */
package io.berth.placement.inventory;
