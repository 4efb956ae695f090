/** Benchmarks of the host states that a decision begins with. */
package io.berth.scheduler.host.states;
