/**
 * Reads and writes traits, and the traits of providers: {@code /traits} and {@code /resource_providers/{uuid}/traits},
 * from microversion 1.6.
 *
 * <p>Entry points: {@link io.berth.placement.trait.TraitsEndpoint} and {@link
 * io.berth.placement.trait.ProviderTraitsEndpoint}. No other package uses this one; names and ids of traits are in the
 * fleet's {@code NameCatalogue}.
 */
package io.berth.placement.trait;
