/**
 * Reads the options of the running service from {@code berth.scheduler.*} keys of the configuration, environment
 * variables and a {@code nova.conf}. {@link io.berth.scheduler.config.service.ConfiguredOptions} is created at start;
 * an unknown key or an invalid value stops the start with an error message of one line.
 */
package io.berth.scheduler.config.service;
