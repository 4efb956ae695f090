/**
 * What a filter, a weigher or a prefilter implements, the scheduler's own as an operator's:
 * {@link io.berth.scheduler.spi.HostFilter}, {@link io.berth.scheduler.spi.HostWeigher} and
 * {@link io.berth.scheduler.spi.RequestPrefilter}; and what they answer with. What they are asked about are the values of
 * the module's other packages: hosts, requests, options.
 *
 * <p>Pure: immutable values in, values out. Must not depend on what runs them.
 */
package io.berth.scheduler.spi;
