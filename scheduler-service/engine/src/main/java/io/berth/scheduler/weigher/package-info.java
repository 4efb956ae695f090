/**
 * Which of the surviving hosts is best? One class per weigher, discovered as a CDI bean and named by its class name;
 * {@link io.berth.scheduler.weigher.Ranking} normalizes their raw values, multiplies and sorts.
 *
 * <p>Pure: immutable values in, numbers out. Must not depend on filters, the decision or I/O.
 */
package io.berth.scheduler.weigher;
