/**
 * Lower bounds on the same machine: the same number of bytes from HTTP servers that do nothing else, and the same rows
 * written by PostgreSQL's own client.
 *
 * <p>Start with {@link io.berth.deploy.load.floor.ConstantBodies} and {@link io.berth.deploy.load.floor.Pgbench}.
 */
package io.berth.deploy.load.floor;
