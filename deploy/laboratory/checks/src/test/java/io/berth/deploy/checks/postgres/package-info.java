/**
 * For which machines deploy/up and the tests bring a PostgreSQL along:
 * {@link io.berth.deploy.checks.postgres.PostgresPlatformsTest}.
 */
package io.berth.deploy.checks.postgres;
