/** Benchmarks of what if; in the package of what they measure, since its parts are nobody else's business. */
package io.berth.placement.candidate.hypothesis;
