/**
 * An operator's own {@code placement.conf} as a source of configuration. What it states is said by
 * {@link io.berth.placement.config.PlacementConf}; {@link io.berth.placement.config.PlacementConfSource} makes that
 * known under Berth's keys, and {@link io.berth.placement.config.PlacementConfCheck} stops the start with one line when
 * it cannot be used. Whoever needs an option injects its key; this package knows no user of one.
 */
package io.berth.placement.config;
