/**
 * Reads and writes the aggregates of a provider: {@code /resource_providers/{uuid}/aggregates}. An aggregate is only a
 * uuid and has no table of its own.
 *
 * <p>Entry point: {@link io.berth.placement.aggregate.AggregatesEndpoint}. No other package uses this one.
 */
package io.berth.placement.aggregate;
