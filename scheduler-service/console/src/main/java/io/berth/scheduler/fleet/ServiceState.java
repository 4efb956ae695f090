package io.berth.scheduler.fleet;

import io.berth.scheduler.host.registry.ComputeService;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.util.Locale;

/** The state of a host's compute service. An operator's setting takes precedence over the heartbeats. */
enum ServiceState {
    UP,
    /** No service is registered for the host. Filters treat such a host as up. */
    UNKNOWN,
    DISABLED,
    /**
     * The last heartbeat is older than {@code service_down_time}, which is extended for a while after an outage of the
     * database ({@link RegistrySnapshot#downTime}).
     */
    DOWN,
    FORCED_DOWN;

    /**
     * Returns the state of a service.
     *
     * @param service null if no service is registered for the host
     * @param downTime {@code service_down_time}
     */
    static ServiceState of(@Nullable ComputeService service, RegistrySnapshot registry, Duration downTime) {
        if (service == null) {
            return UNKNOWN;
        }
        if (service.forcedDown()) {
            return FORCED_DOWN;
        }
        if (service.disabled()) {
            return DISABLED;
        }
        return service.hasRecentHeartbeat(registry.asOf(), registry.downTime(downTime)) ? UP : DOWN;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
