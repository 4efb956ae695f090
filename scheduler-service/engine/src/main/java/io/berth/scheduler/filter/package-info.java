/**
 * Filters: each checks whether an instance may go onto a host. There is one class per filter, discovered as a CDI bean
 * and named by its class name; {@link io.berth.scheduler.filter.EnabledFilters} puts the configured ones in order.
 *
 * <p>Pure: a filter receives immutable values and returns a {@link io.berth.scheduler.spi.Verdict}. Must not depend on
 * weighers, the decision or I/O.
 */
package io.berth.scheduler.filter;
