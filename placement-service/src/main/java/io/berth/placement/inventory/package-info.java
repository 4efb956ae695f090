/**
 * What a provider offers: {@code /resource_providers/{uuid}/inventories} and below.
 *
 * <p>Entry point: {@link io.berth.placement.inventory.InventoriesEndpoint}. Never writes {@code used}: that is the
 * ledger's.
 */
package io.berth.placement.inventory;
