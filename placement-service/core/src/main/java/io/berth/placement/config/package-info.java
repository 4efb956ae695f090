/**
 * Makes the {@code placement.conf} of an operator a source of configuration. {@link
 * io.berth.placement.config.PlacementConf} parses the file, {@link io.berth.placement.config.PlacementConfSource}
 * publishes the values under Berth's keys, and {@link io.berth.placement.config.PlacementConfCheck} stops the start if
 * the file cannot be read or has an invalid value. No other package uses this one: a class that needs an option injects
 * the value of Berth's key.
 */
package io.berth.placement.config;
