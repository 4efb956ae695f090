/**
 * An operator's own {@code placement.conf} as a source of configuration. {@link
 * io.berth.placement.config.PlacementConf} parses it; {@link io.berth.placement.config.PlacementConfSource} publishes
 * the values under Berth's keys, and {@link io.berth.placement.config.PlacementConfCheck} stops the start with one line
 * if the file cannot be used. A class that needs an option injects its key; this package knows no user of one.
 */
package io.berth.placement.config;
