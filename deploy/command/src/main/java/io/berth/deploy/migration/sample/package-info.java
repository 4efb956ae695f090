/**
 * A cloud with a little of everything, to try an import with: trees, sharing providers, custom names, consumers of all
 * types, providers that hold more than they would take.
 *
 * <p>Entry points: {@link io.berth.deploy.migration.sample.SampleCloud} (pure),
 * {@link io.berth.deploy.migration.sample.SampleMain}, which loads it for the scripts of {@code deploy/test}.
 */
package io.berth.deploy.migration.sample;
