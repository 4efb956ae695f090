/**
 * Request prefilters: what an operator's options and a request's features add to the query before placement is asked.
 * {@link io.berth.scheduler.prefilter.RequestPrefilters} runs them in nova's order; one class each, pure. Classes end
 * in {@code Filter} where nova's functions do; none is a filter of hosts. Must not know hosts, filters or I/O.
 */
package io.berth.scheduler.prefilter;
