/**
 * Reads the use of one provider, from the fleet in memory, and the use of a project, or of one user of the project,
 * from the table of allocations.
 *
 * <p>Entry points: {@link io.berth.placement.usage.ProviderUsagesEndpoint} and {@link
 * io.berth.placement.usage.TotalUsagesEndpoint}. No other package uses this one.
 */
package io.berth.placement.usage;
