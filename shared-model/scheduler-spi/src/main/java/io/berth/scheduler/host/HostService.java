package io.berth.scheduler.host;

import jakarta.annotation.Nullable;

/**
 * The state of a host's compute service.
 *
 * @param disabledReason as the operator gave it; null if none
 * @param up whether the last heartbeat is recent enough when the host state is built
 * @param forcedDown an operator declared the service down, whatever its heartbeat says
 */
public record HostService(boolean disabled, @Nullable String disabledReason, boolean up, boolean forcedDown) {
    /** Enabled and alive. */
    public static final HostService UP = new HostService(false, null, true, false);
}
