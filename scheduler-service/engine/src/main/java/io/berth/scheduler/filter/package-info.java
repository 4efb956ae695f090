/**
 * Berth's own filters, which decide whether a host is suitable for an instance. Each filter is a class, a CDI bean, and
 * has the name of the class. {@link io.berth.scheduler.filter.EnabledFilters} looks up the configured filters in their
 * order; the package {@code decision} runs them.
 *
 * <p>Filters are pure: they receive immutable values and return a {@link io.berth.scheduler.spi.Verdict}. The package
 * must not depend on weighers, the decision or I/O.
 */
package io.berth.scheduler.filter;
