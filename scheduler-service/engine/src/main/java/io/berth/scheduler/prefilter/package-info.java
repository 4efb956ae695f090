/**
 * Request prefilters add what the options and a request's features imply to the query before it is sent to placement.
 * {@link io.berth.scheduler.prefilter.RequestPrefilters} runs them in nova's order; one class each, pure. Classes end
 * in {@code Filter} where nova's functions do; none filters hosts. Must not depend on hosts, filters or I/O.
 */
package io.berth.scheduler.prefilter;
