/**
 * The use of one provider (from the fleet, proven fresh) and of a project or user (from the allocations).
 *
 * <p>Start at {@link io.berth.placement.usage.ProviderUsagesEndpoint} and {@link
 * io.berth.placement.usage.TotalUsagesEndpoint}.
 */
package io.berth.placement.usage;
