package io.berth.scheduler.pci;

/** A pool while requests are taken from it. Mutable, and compared by identity: two pools of a host may look alike. */
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

    /** The pool as it is now. */
    PciPool remaining() {
        return count == pool.count() ? pool : pool.withCount(count);
    }
}
