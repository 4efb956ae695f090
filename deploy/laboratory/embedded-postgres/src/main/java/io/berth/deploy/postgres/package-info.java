/**
 * A real PostgreSQL without an installation: for {@code deploy/up} on one machine and for the tests.
 *
 * <p>Entry points: {@link io.berth.deploy.postgres.PostgresServer} (a server in a folder),
 * {@link io.berth.deploy.postgres.PostgresMain} (the process that deploy/up starts),
 * {@link io.berth.deploy.postgres.SqlMain} (the scripts' psql),
 * {@link io.berth.deploy.postgres.PostgresForTests} (one server per test run). Must never reach a production
 * artifact: the services depend on this module in test scope only.
 */
package io.berth.deploy.postgres;
