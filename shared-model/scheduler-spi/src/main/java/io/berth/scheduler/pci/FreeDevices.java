package io.berth.scheduler.pci;

/**
 * The free devices of a pool while devices are assigned to requests. Mutable. Compared by identity, because two pools
 * of a host may be equal.
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

    /** Returns the pool with the remaining number of devices. */
    PciPool toPool() {
        return count == pool.count() ? pool : pool.withCount(count);
    }
}
