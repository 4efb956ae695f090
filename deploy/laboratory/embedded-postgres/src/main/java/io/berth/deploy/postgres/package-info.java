/**
 * PostgreSQL servers from binaries in a Maven artifact, without an installation: for {@code deploy/up} on one machine
 * and for tests.
 *
 * <p>Entry points: {@link io.berth.deploy.postgres.PostgresServer} (a server in a folder),
 * {@link io.berth.deploy.postgres.PostgresMain} (the process that deploy/up starts),
 * {@link io.berth.deploy.postgres.SqlMain} (runs SQL scripts for deploy's scripts),
 * {@link io.berth.deploy.postgres.PostgresForTests} (one server per test JVM). This package must not be in a production
 * artifact: the services depend on this module only in test scope.
 */
package io.berth.deploy.postgres;
