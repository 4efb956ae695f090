/**
 * Copies the state of a running Placement, OpenStack's or Berth's, into Berth, and back: reads both, plans, writes,
 * reads again and compares.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.ImportCommand}, {@link io.berth.deploy.migration.ExportCommand};
 * the flow of both is {@link io.berth.deploy.migration.Migration}. Uses only the public API; must not depend on a
 * service.
 */
package io.berth.deploy.migration;
