/**
 * Budgets of heap bytes. {@link io.berth.scheduler.heap.FleetHeap} divides half of the heap between the registry
 * ({@code host.registry.snapshot}) and placement's provider trees ({@code placement.feed});
 * {@link io.berth.scheduler.heap.DecisionHeap} limits the bytes of all decisions in flight. This package must not
 * depend on its users.
 */
package io.berth.scheduler.heap;
