/**
 * Sends the same queries to two services and compares the responses. This covers what a comparison of states cannot:
 * filters, usages and allocation candidates, which each service computes.
 *
 * <p>Entry point: {@link io.berth.deploy.migration.reads.ReadComparison}.
 */
package io.berth.deploy.migration.reads;
