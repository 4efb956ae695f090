package io.berth.scheduler.host.registry;

import io.berth.scheduler.json.StrictObject;
import jakarta.annotation.Nullable;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The registered compute service of a host. Immutable except for the last heartbeat, which is updated in place:
 * thousands of heartbeats arrive per second, and a registry snapshot may show later heartbeats. Thread-safe.
 */
public final class ComputeService implements RegistryRecord {
    private final UUID uuid;
    private final String host;
    private final boolean disabled;
    private final @Nullable String disabledReason;
    private final boolean forcedDown;
    /** The last heartbeat by the database's clock, in microseconds since 1970. */
    private volatile long lastHeartbeatMicros;

    public ComputeService(
            UUID uuid,
            String host,
            boolean disabled,
            @Nullable String disabledReason,
            boolean forcedDown,
            Instant lastHeartbeat) {
        this.uuid = uuid;
        this.host = HostNames.interned(host);
        this.disabled = disabled;
        this.disabledReason = disabledReason;
        this.forcedDown = forcedDown;
        lastHeartbeatMicros = micros(lastHeartbeat);
    }

    static ComputeService read(UUID uuid, StrictObject body) {
        return new ComputeService(
                uuid,
                HostNames.readRequired(body, "host"),
                body.flag("disabled", false),
                body.text("disabled_reason"),
                body.flag("forced_down", false),
                // The body has no heartbeat; the reader of a stored record sets the stored one.
                Instant.EPOCH);
    }

    @Override
    public UUID uuid() {
        return uuid;
    }

    @Override
    public long ownBytes() {
        return HeapEstimate.of(disabledReason);
    }

    public String host() {
        return host;
    }

    public boolean disabled() {
        return disabled;
    }

    /** Returns the operator's reason for disabling the service; null for none. */
    public @Nullable String disabledReason() {
        return disabledReason;
    }

    /** Returns whether an operator forced the service down, regardless of its heartbeats. */
    public boolean forcedDown() {
        return forcedDown;
    }

    /** Returns a copy that is disabled or enabled. The copy does not receive later heartbeats. */
    public ComputeService disabled(boolean isDisabled, @Nullable String reason) {
        return new ComputeService(uuid, host, isDisabled, reason, forcedDown, lastHeartbeat());
    }

    /** Returns a copy that is not forced down, and whose last heartbeat is {@code heartbeat}. */
    public ComputeService up(Instant heartbeat) {
        return new ComputeService(uuid, host, disabled, disabledReason, false, heartbeat);
    }

    /** Returns whether both services are equal except for their heartbeats. */
    public boolean equalsExceptHeartbeat(ComputeService other) {
        return uuid.equals(other.uuid)
                && host.equals(other.host)
                && disabled == other.disabled
                && Objects.equals(disabledReason, other.disabledReason)
                && forcedDown == other.forcedDown;
    }

    /** Returns the time of the last heartbeat by the database's clock; before the first, the time of registration. */
    public Instant lastHeartbeat() {
        return Instant.EPOCH.plus(lastHeartbeatMicros, ChronoUnit.MICROS);
    }

    /** Sets the time of the last heartbeat, in all snapshots that share this object. */
    public void setLastHeartbeat(Instant heartbeat) {
        lastHeartbeatMicros = micros(heartbeat);
    }

    /** Returns whether the last heartbeat is at most {@code downTime} away from now, in either direction. */
    public boolean hasRecentHeartbeat(Instant now, Duration downTime) {
        return hasRecentHeartbeat(micros(now), TimeUnit.MICROSECONDS.convert(downTime));
    }

    /**
     * Like {@link #hasRecentHeartbeat(Instant, Duration)}, without conversions, for callers that check thousands of
     * services.
     *
     * @param nowMicros the current time in microseconds since 1970
     * @param downMicros the down time in microseconds
     */
    public boolean hasRecentHeartbeat(long nowMicros, long downMicros) {
        return Math.abs(nowMicros - lastHeartbeatMicros) <= downMicros;
    }

    /** Returns the moment in microseconds since 1970. */
    public static long micros(Instant moment) {
        return moment.getEpochSecond() * 1_000_000 + moment.getNano() / 1_000;
    }
}
