/**
 * Sends the same queries to two services and compares the responses. The responses have what a comparison of states
 * does not cover: filtered lists, usages and allocation candidates, which each service computes.
 *
 * <p>Entry point: {@link io.berth.deploy.migration.reads.ReadComparison}.
 */
package io.berth.deploy.migration.reads;
