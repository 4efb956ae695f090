package io.berth.scheduler.host;

import jakarta.annotation.Nullable;

/**
 * The state of a host's compute service.
 *
 * @param disabledReason the reason that an operator gave for disabling the service; null if there is none
 * @param up whether the last heartbeat was recent enough when the host state was built; a service that is forced down
 *         may have {@code up} true
 * @param forcedDown whether an operator declared the service down, regardless of its heartbeat
 */
public record HostService(boolean disabled, @Nullable String disabledReason, boolean up, boolean forcedDown) {
    /** The state of a service that is enabled and up. */
    public static final HostService UP = new HostService(false, null, true, false);
}
