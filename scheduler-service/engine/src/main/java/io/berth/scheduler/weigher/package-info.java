/**
 * Weighers: each measures how good a host is that passed the filters. There is one class per weigher, discovered as a
 * CDI bean and named by its class name; {@link io.berth.scheduler.weigher.Ranking} normalizes and multiplies their
 * values, and sorts the hosts.
 *
 * <p>Pure: immutable values in, numbers out. Must not depend on filters, the decision or I/O.
 */
package io.berth.scheduler.weigher;
