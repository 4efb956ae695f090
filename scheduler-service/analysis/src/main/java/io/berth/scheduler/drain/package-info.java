/**
 * Drains: the emptying of hosts over a longer time. {@link io.berth.scheduler.drain.DrainsEndpoint} begins a drain,
 * which disables the hosts' services, returns its progress and its next moves, and ends it. An orchestrator makes the
 * moves. Only the operator's request and the disabled services are stored; everything else is computed from the
 * registry, placement and the table of moves. No other package uses this one. Must not make moves.
 */
package io.berth.scheduler.drain;
