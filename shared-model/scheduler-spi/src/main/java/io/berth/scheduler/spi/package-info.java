/**
 * The interfaces that filters, weighers and prefilters implement, both the scheduler's own and an operator's:
 * {@link io.berth.scheduler.spi.HostFilter}, {@link io.berth.scheduler.spi.HostWeigher} and
 * {@link io.berth.scheduler.spi.RequestPrefilter}; and their results. Their inputs are the values of the module's other
 * packages: hosts, requests, options.
 *
 * <p>Pure: immutable values in, values out. Must not depend on the code that runs them.
 */
package io.berth.scheduler.spi;
