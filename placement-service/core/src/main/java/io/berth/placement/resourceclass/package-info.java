/**
 * Reads and writes resource classes: {@code /resource_classes}, from microversion 1.2.
 *
 * <p>Entry point: {@link io.berth.placement.resourceclass.ResourceClassesEndpoint}. No other package uses this one;
 * names and ids of resource classes are in the fleet's {@code NameCatalogue}.
 */
package io.berth.placement.resourceclass;
