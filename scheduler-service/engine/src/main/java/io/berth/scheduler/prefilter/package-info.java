/**
 * Berth's own prefilters, which change a request before the query to placement is built: they add the traits and
 * aggregates that options and features of the request imply. Each prefilter is a pure class; {@link
 * io.berth.scheduler.prefilter.RequestPrefilters} runs them in nova's order. Prefilters do not filter hosts, although
 * some class names end in {@code Filter}, as the names of nova's functions do. The package must not depend on hosts,
 * filters or I/O.
 */
package io.berth.scheduler.prefilter;
