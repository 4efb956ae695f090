/**
 * Resource classes: {@code /resource_classes}, from 1.2. Entry point:
 * {@link io.berth.placement.resourceclass.ResourceClassesEndpoint}.
 */
package io.berth.placement.resourceclass;
