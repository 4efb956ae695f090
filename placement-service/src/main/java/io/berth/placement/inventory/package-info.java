/**
 * What a provider offers: {@code /resource_providers/{uuid}/inventories} and below.
 *
 * <p>Entry point: {@link io.berth.placement.inventory.InventoriesEndpoint}. Of {@code used}, which is the
 * ledger's, it writes what an inventory begins with.
 */
package io.berth.placement.inventory;
