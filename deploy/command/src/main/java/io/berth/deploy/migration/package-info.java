/**
 * {@code berth import} and {@code berth export}: copy the whole state of a running Placement (OpenStack's or Berth's)
 * into Berth, and Berth's into another Placement. The subpackages have the state and its readers ({@code state}), the
 * writes ({@code plan}) and the comparison of queries ({@code reads}).
 *
 * <p>Entry points: {@link io.berth.deploy.migration.ImportCommand}, {@link io.berth.deploy.migration.ExportCommand};
 * the steps of both are in {@link io.berth.deploy.migration.Migration}. Must not depend on the code of a service.
 */
package io.berth.deploy.migration;
