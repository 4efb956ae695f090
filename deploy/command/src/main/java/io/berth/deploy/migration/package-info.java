/**
 * Copies the state of a running Placement, OpenStack's or Berth's, into Berth: reads both, plans, writes, reads again
 * and compares.
 *
 * <p>Entry point: {@link io.berth.deploy.migration.ImportCommand}; its flow is
 * {@link io.berth.deploy.migration.Import}. Uses only the public API; must not depend on a service.
 */
package io.berth.deploy.migration;
