/**
 * The inventories of a provider: {@code /resource_providers/{uuid}/inventories} and below.
 *
 * <p>Entry point: {@link io.berth.placement.inventory.InventoriesEndpoint}. The ledger maintains {@code used}; this
 * package writes only its initial value.
 */
package io.berth.placement.inventory;
