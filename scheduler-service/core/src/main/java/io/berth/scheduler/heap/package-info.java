/** How the heap is divided: {@link io.berth.scheduler.heap.FleetHeap} and {@link io.berth.scheduler.heap.DecisionHeap}. Knows nobody of those who take it. */
package io.berth.scheduler.heap;
