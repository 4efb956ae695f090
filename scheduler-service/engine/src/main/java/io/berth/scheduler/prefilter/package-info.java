/**
 * Request prefilters add what the options and a request's features imply to the query before it is sent to placement.
 * {@link io.berth.scheduler.prefilter.RequestPrefilters} runs them in nova's order; each is one pure class. A class
 * name ends in {@code Filter} where nova's function name does; prefilters do not filter hosts. Must not depend on
 * hosts, filters or I/O.
 */
package io.berth.scheduler.prefilter;
