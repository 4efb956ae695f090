/** Benchmarks of parsing placement's responses, in the format of OpenStack's Placement and in Berth's own. */
package io.berth.scheduler.placement.feed;
