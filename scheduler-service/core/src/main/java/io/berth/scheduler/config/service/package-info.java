/**
 * The options of the running service: from {@code berth.scheduler.*} keys, environment variables and an operator's
 * own {@code nova.conf}. {@link io.berth.scheduler.config.service.ConfiguredOptions} is built once at start and stops
 * it with one line when a key or value is wrong.
 */
package io.berth.scheduler.config.service;
