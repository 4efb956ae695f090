/**
 * Drains: the emptying of hosts over a longer time. {@link io.berth.scheduler.drain.DrainsEndpoint} begins a drain,
 * which disables the hosts' services unless nova owns them, returns its progress and its next moves, and ends it. An
 * orchestrator makes the moves; this package must not. Only the operator's request and what it found at the start
 * (hosts, instances, disabled services) are stored; the progress is computed from the registry, placement and the table
 * of moves. No other package uses this one.
 */
package io.berth.scheduler.drain;
