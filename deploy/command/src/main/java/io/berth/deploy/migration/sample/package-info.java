/**
 * A generated cloud for tests of import and export. It has provider trees, sharing providers, custom names, consumers
 * with and without a type, and providers whose allocations exceed their present inventories.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.sample.SampleCloud} (pure),
 * {@link io.berth.deploy.migration.sample.SampleMain}, which loads the cloud for the scripts of {@code deploy/test}.
 */
package io.berth.deploy.migration.sample;
