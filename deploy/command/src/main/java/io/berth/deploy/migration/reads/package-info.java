/**
 * Sends the same queries to two services and compares the responses: a comparison of states cannot cover filters,
 * usages and candidates, which the service computes.
 *
 * <p>Entry point: {@link io.berth.deploy.migration.reads.ReadComparison}.
 */
package io.berth.deploy.migration.reads;
