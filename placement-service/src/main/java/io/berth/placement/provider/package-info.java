/**
 * Resource providers and their trees: {@code /resource_providers} and {@code /resource_providers/{uuid}}.
 *
 * <p>Entry points: {@link io.berth.placement.provider.ProvidersEndpoint};
 * {@link io.berth.placement.provider.KnownProvider} for other routes below a provider.
 * {@link io.berth.placement.provider.ProviderSearch} is pure. Knows nothing of inventories' or traits' own routes.
 */
package io.berth.placement.provider;
