package io.berth.scheduler.heap;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests how provider trees and registry share the heap. */
class FleetHeapTest {
    private static final long MB = 1 << 20;

    /** Trees and registry together get half of the heap, 128 of 256 MB, of which a minimum is for trees. */
    @Test
    void treesGetWhatTheRegistryLeavesWithinBounds() {
        var heap = new FleetHeap(256 * MB);
        assertThat(heap.treeBytesMax()).isEqualTo(64 * MB);
        heap.setRegisteredBytes(64 * MB);
        assertThat(heap.treeBytesMax()).isEqualTo(64 * MB);
        heap.setRegisteredBytes(65 * MB);
        assertThat(heap.treeBytesMax()).isEqualTo(63 * MB);
        heap.setRegisteredBytes(120 * MB);
        assertThat(heap.treeBytesMax()).isEqualTo(8 * MB);
        heap.setRegisteredBytes(400 * MB);
        assertThat(heap.treeBytesMax()).isEqualTo(8 * MB);
        heap.setRegisteredBytes(0);
        assertThat(heap.treeBytesMax()).isEqualTo(64 * MB);
    }
}
