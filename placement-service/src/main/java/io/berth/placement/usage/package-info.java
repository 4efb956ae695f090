/**
 * The use of one provider, from a view that is proven fresh, and the use of a project or user, from the table of
 * allocations.
 *
 * <p>Start at {@link io.berth.placement.usage.ProviderUsagesEndpoint} and {@link
 * io.berth.placement.usage.TotalUsagesEndpoint}.
 */
package io.berth.placement.usage;
