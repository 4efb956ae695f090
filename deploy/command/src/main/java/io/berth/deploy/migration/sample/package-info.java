/**
 * A cloud with a little of everything, for trying an import: trees, sharing providers, custom names, consumers of all
 * types, providers with more allocations than they would accept.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.sample.SampleCloud} (pure),
 * {@link io.berth.deploy.migration.sample.SampleMain}, which loads it for the scripts of {@code deploy/test}.
 */
package io.berth.deploy.migration.sample;
