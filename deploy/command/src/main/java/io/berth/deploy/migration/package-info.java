/**
 * {@code berth import} and {@code berth export}: copy the whole state of a running Placement (OpenStack's or Berth's)
 * into Berth, and the state of Berth into another Placement. The subpackages are {@code state} (the state of a
 * Placement and its readers), {@code plan} (the writes), {@code reads} (the comparison of responses to queries) and
 * {@code sample} (a generated state, for tests).
 *
 * <p>Entry points: {@link io.berth.deploy.migration.ImportCommand}, {@link io.berth.deploy.migration.ExportCommand};
 * {@link io.berth.deploy.migration.Migration} has the steps of both. This package must not depend on the code of a
 * service.
 */
package io.berth.deploy.migration;
