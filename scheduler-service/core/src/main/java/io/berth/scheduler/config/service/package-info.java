/**
 * Reads the options of the running service from {@code berth.scheduler.*} keys, environment variables and a
 * {@code nova.conf}. {@link io.berth.scheduler.config.service.ConfiguredOptions} is created at start; an unknown key or
 * an invalid value stops the start with one line.
 */
package io.berth.scheduler.config.service;
