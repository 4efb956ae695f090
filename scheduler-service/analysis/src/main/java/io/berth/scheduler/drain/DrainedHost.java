package io.berth.scheduler.drain;

import io.berth.scheduler.text.WireNamed;
import jakarta.annotation.Nullable;
import java.util.Set;
import java.util.UUID;

/**
 * A host of a drain, as it was when the drain began.
 *
 * @param host name of the host
 * @param nodes uuids of its compute nodes; for a host that is not registered, of its root provider
 * @param instances uuids of the instances that were registered on the host
 * @param service uuid of the service that the drain disabled or created; null: the drain changed no service
 * @param serviceIsNew whether the drain created the service in order to disable the host
 */
record DrainedHost(
        String host, Set<UUID> nodes, Set<UUID> instances, @Nullable UUID service, boolean serviceIsNew) {
    /** The drain's effect on the service of the host. */
    enum ServiceAction implements WireNamed {
        /** The drain disabled the service. */
        DISABLED,
        /** The host had no service; the drain created a disabled one. */
        MADE,
        /** The service was disabled before, or nova manages the services. */
        NOTHING
    }

    ServiceAction serviceAction() {
        return service == null ? ServiceAction.NOTHING : serviceIsNew ? ServiceAction.MADE : ServiceAction.DISABLED;
    }
}
