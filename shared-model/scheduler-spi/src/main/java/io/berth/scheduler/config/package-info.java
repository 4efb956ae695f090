/**
 * The options of the scheduler, with nova's names and upstream's defaults. {@link io.berth.scheduler.config.Options} is
 * an immutable value with all options, which filters and weighers receive. Options are parsed from an {@link
 * io.berth.scheduler.config.OptionSource}: the configuration of the service, or the body of a request. The package does
 * not read the environment itself.
 */
package io.berth.scheduler.config;
