/** Benchmarks of counting; in its package, since its steps are nobody else's business. */
package io.berth.scheduler.capacity;
