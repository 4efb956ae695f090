/**
 * Traits, and which provider has which: {@code /traits} and {@code /resource_providers/{uuid}/traits}, from 1.6.
 *
 * <p>Entry points: {@link io.berth.placement.trait.TraitsEndpoint} and
 * {@link io.berth.placement.trait.ProviderTraitsEndpoint}.
 */
package io.berth.placement.trait;
