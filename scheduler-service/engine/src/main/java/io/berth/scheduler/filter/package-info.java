/**
 * Berth's own filters, which decide whether a host is suitable for an instance. Each filter is a CDI bean; its name in
 * {@code enabled_filters} is the simple name of its class. {@link io.berth.scheduler.filter.EnabledFilters} looks up
 * the filters by name, in the configured order; the package {@code decision} runs them.
 *
 * <p>Filters are pure: they receive immutable values and return a {@link io.berth.scheduler.spi.Verdict}. The package
 * must not depend on weighers, the decision or I/O.
 */
package io.berth.scheduler.filter;
