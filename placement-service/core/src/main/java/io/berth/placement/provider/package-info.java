/**
 * Reads and writes resource providers and their trees: {@code /resource_providers} and {@code
 * /resource_providers/{uuid}}.
 *
 * <p>Entry point: {@link io.berth.placement.provider.ProvidersEndpoint}. The packages of routes below a provider
 * (inventories, traits, aggregates, usages) find the provider with {@link io.berth.placement.provider.KnownProvider}
 * and log changes with {@link io.berth.placement.provider.ProviderChangeLog}. This package must not depend on {@code
 * inventory} and {@code trait}.
 */
package io.berth.placement.provider;
