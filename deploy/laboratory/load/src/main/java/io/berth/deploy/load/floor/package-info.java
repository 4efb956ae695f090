/**
 * Reference figures of the machine on which the services are measured: HTTP servers that respond with constant bytes
 * and do nothing else, and claims that pgbench writes directly to PostgreSQL. {@code deploy/bench} compares the
 * services with them.
 *
 * <p>Entry points: {@link io.berth.deploy.load.floor.ConstantBodies} and {@link io.berth.deploy.load.floor.Pgbench}.
 */
package io.berth.deploy.load.floor;
