/**
 * Divides the heap: {@link io.berth.scheduler.heap.FleetHeap} and {@link io.berth.scheduler.heap.DecisionHeap}. This
 * package must not depend on its users.
 */
package io.berth.scheduler.heap;
