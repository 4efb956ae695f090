/** Benchmarks of building the host states that a decision works on. */
package io.berth.scheduler.host.states;
