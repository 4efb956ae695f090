package io.berth.scheduler.pci;

/**
 * A pool from which requests are taking devices. Mutable, and compared by identity because two pools of a host may be
 * equal.
 */
final class FreeDevices {
    private final PciPool pool;
    private int count;

    FreeDevices(PciPool pool) {
        this.pool = pool;
        this.count = pool.count();
    }

    PciPool pool() {
        return pool;
    }

    int count() {
        return count;
    }

    void take(int devices) {
        count -= devices;
    }

    /** Returns the pool with the devices that are left. */
    PciPool remaining() {
        return count == pool.count() ? pool : pool.withCount(count);
    }
}
