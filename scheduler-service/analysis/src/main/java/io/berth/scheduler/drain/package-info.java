/**
 * Which moves empty these hosts now, and how far is that? {@link io.berth.scheduler.drain.DrainsEndpoint} begins a
 * drain, which disables the hosts' services, and stops it; in between it names the next moves. An orchestrator makes
 * them. The stored state is what the operator requested and which services were disabled; everything else is computed
 * from the registry, placement and the table of moves. Must not make moves.
 */
package io.berth.scheduler.drain;
