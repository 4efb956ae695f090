/**
 * Which aggregates a provider is in: {@code /resource_providers/{uuid}/aggregates}. An aggregate is a uuid and no more.
 */
package io.berth.placement.aggregate;
