/** How the heap is divided: {@link io.berth.scheduler.heap.FleetHeap}. Knows nobody of those who take it. */
package io.berth.scheduler.heap;
