package io.berth.scheduler.host;

import jakarta.annotation.Nullable;

/**
 * The state of the compute service of a host.
 *
 * @param disabledReason as the operator gave it; null if none
 * @param up whether the last heartbeat is recent enough; the code that builds the host state compares the times
 * @param forcedDown an operator declared the service down, whatever its heartbeat says
 */
public record HostService(boolean disabled, @Nullable String disabledReason, boolean up, boolean forcedDown) {
    /** A service that is enabled and alive. */
    public static final HostService UP = new HostService(false, null, true, false);
}
