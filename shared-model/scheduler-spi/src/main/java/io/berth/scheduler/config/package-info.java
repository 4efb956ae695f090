/**
 * The options of the scheduler, by nova's names and with upstream's defaults:
 * {@link io.berth.scheduler.config.Options}, one immutable value that is built from the configuration of the service or
 * from the body of a simulation, and passed to filters and weighers. Does not read the environment.
 */
package io.berth.scheduler.config;
