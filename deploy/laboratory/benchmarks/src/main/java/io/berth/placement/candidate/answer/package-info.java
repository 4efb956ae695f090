/** Benchmarks of allocation candidates; in the package of the answer, since its parts are nobody else's business. */
package io.berth.placement.candidate.answer;
