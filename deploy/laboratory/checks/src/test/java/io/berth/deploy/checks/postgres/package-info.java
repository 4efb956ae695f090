/**
 * Checks for which platforms deploy/up and the tests bring PostgreSQL: {@link
 * io.berth.deploy.checks.postgres.PostgresPlatformsTest}.
 */
package io.berth.deploy.checks.postgres;
