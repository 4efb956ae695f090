/**
 * The interfaces that filters, weighers and prefilters implement, both Berth's own and an operator's: {@link
 * io.berth.scheduler.spi.HostFilter}, {@link io.berth.scheduler.spi.HostWeigher} and {@link
 * io.berth.scheduler.spi.RequestPrefilter}. The types of their results are in this package, too; the types of their
 * inputs (hosts, requests, options) are in the module's other packages.
 *
 * <p>The interfaces are pure: their inputs and results are immutable values. Only
 * {@link io.berth.scheduler.spi.HostFactSource} does I/O. The package must not depend on the code that runs the
 * implementations.
 */
package io.berth.scheduler.spi;
