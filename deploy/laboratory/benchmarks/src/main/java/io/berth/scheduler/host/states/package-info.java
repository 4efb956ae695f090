/** Benchmarks of building the host states on which a scheduling decision is made. */
package io.berth.scheduler.host.states;
