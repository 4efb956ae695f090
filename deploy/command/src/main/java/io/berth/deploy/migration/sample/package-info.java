/**
 * A generated cloud for tests of import and export. It has provider trees, sharing providers, custom names, consumers
 * with and without a type, and providers whose allocations exceed their present inventories.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.sample.SampleCloud}, which generates the cloud in memory, and
 * {@link io.berth.deploy.migration.sample.SampleMain}, which loads it into a service for the scripts of {@code
 * deploy/test}.
 */
package io.berth.deploy.migration.sample;
