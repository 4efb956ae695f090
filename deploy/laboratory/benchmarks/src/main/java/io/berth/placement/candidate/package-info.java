/** Benchmarks of the search for allocation candidates; in its package, since the search is nobody else's business. */
package io.berth.placement.candidate;
