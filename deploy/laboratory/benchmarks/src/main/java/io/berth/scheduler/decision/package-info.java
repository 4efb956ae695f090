/** Benchmarks of the pure decision, by situation; in its package, since its steps are nobody else's business. */
package io.berth.scheduler.decision;
