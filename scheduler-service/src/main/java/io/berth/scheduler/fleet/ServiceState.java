package io.berth.scheduler.fleet;

import io.berth.scheduler.host.registry.ComputeService;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** In what state a host's compute service is: what an operator said of it, before what is heard of it. */
enum ServiceState {
    UP,
    /** No service is registered: it counts as up. */
    UNKNOWN,
    DISABLED,
    /** Its last heartbeat is too long ago. */
    DOWN,
    FORCED_DOWN;

    static ServiceState of(@Nullable ComputeService service, Instant now, Duration downTime) {
        if (service == null) {
            return UNKNOWN;
        }
        if (service.forcedDown()) {
            return FORCED_DOWN;
        }
        if (service.disabled()) {
            return DISABLED;
        }
        return service.isHeardOf(now, downTime) ? UP : DOWN;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
