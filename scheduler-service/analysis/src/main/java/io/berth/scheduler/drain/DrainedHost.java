package io.berth.scheduler.drain;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.UUID;

/**
 * A host of a drain, as it was when the drain began.
 *
 * @param nodes its compute nodes
 * @param instances registered on it
 * @param service that the drain disabled; null: none
 * @param serviceIsNew whether the drain made the service to disable the host
 */
record DrainedHost(
        String host, Set<UUID> nodes, Set<UUID> instances, @Nullable UUID service, boolean serviceIsNew) {
    /** The drain's effect on the service of the host. */
    enum Deed implements WireNamed {
        /** It disabled the service. */
        DISABLED,
        /** The host had no service; it made one that is disabled. */
        MADE,
        /** The service was disabled before, or is not Berth's to change. */
        NOTHING
    }

    Deed deed() {
        return service == null ? Deed.NOTHING : serviceIsNew ? Deed.MADE : Deed.DISABLED;
    }
}
