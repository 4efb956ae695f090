package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/**
 * The compute service of a host.
 *
 * @param lastHeartbeat by the database's clock; the time of creation until the first heartbeat
 */
public record ComputeService(
        UUID uuid, String host, boolean disabled, String disabledReason, boolean forcedDown, Instant lastHeartbeat)
        implements RegistryRecord {
    static ComputeService read(UUID uuid, StrictObject body) {
        return new ComputeService(
                uuid,
                HostNames.one(body),
                body.flag("disabled", false),
                body.text("disabled_reason"),
                body.flag("forced_down", false),
                Instant.EPOCH);
    }

    ComputeService heardAt(Instant heartbeat) {
        return new ComputeService(uuid, host, disabled, disabledReason, forcedDown, heartbeat);
    }

    /** Whether the last heartbeat is at most {@code downTime} away from now, in either direction. */
    public boolean isHeardOf(Instant now, Duration downTime) {
        return Duration.between(lastHeartbeat, now).abs().compareTo(downTime) <= 0;
    }
}
