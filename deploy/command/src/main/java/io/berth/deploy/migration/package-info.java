/**
 * Brings the state of a running Placement, OpenStack's or Berth's, into Berth: read both, plan, write, read again and
 * compare.
 *
 * <p>Entry point: {@link io.berth.deploy.migration.ImportCommand}; its flow is
 * {@link io.berth.deploy.migration.Import}. Speaks the public API alone; must not depend on a service.
 */
package io.berth.deploy.migration;
