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
 * The compute service of a host. Immutable except for its last heartbeat: thousands arrive per second, and a snapshot
 * that shows a later heartbeat is still correct.
 */
public final class ComputeService implements RegistryRecord {
    private final UUID uuid;
    private final String host;
    private final boolean disabled;
    private final @Nullable String disabledReason;
    private final boolean forcedDown;
    /** The last heartbeat by the database's clock, in its unit. */
    private volatile long heardMicros;

    public ComputeService(
            UUID uuid,
            String host,
            boolean disabled,
            @Nullable String disabledReason,
            boolean forcedDown,
            Instant lastHeartbeat) {
        this.uuid = uuid;
        this.host = HostNames.shared(host);
        this.disabled = disabled;
        this.disabledReason = disabledReason;
        this.forcedDown = forcedDown;
        heardMicros = micros(lastHeartbeat);
    }

    static ComputeService read(UUID uuid, StrictObject body) {
        return new ComputeService(
                uuid,
                HostNames.one(body, "host"),
                body.flag("disabled", false),
                body.text("disabled_reason"),
                body.flag("forced_down", false),
                Instant.EPOCH);
    }

    @Override
    public UUID uuid() {
        return uuid;
    }

    @Override
    public long ownBytes() {
        return ReckonedHeap.of(disabledReason);
    }

    public String host() {
        return host;
    }

    public boolean disabled() {
        return disabled;
    }

    /** Returns null if none was given. */
    public @Nullable String disabledReason() {
        return disabledReason;
    }

    public boolean forcedDown() {
        return forcedDown;
    }

    /** Returns the service with another state. The copy does not receive later heartbeats. */
    public ComputeService disabled(boolean is, @Nullable String reason) {
        return new ComputeService(uuid, host, is, reason, forcedDown, lastHeartbeat());
    }

    /** Returns the service as it would be if it were not forced down and had its last heartbeat at that moment. */
    public ComputeService up(Instant heard) {
        return new ComputeService(uuid, host, disabled, disabledReason, false, heard);
    }

    /** Returns whether the other service is equal, except for heartbeats. */
    public boolean isLike(ComputeService other) {
        return uuid.equals(other.uuid)
                && host.equals(other.host)
                && disabled == other.disabled
                && Objects.equals(disabledReason, other.disabledReason)
                && forcedDown == other.forcedDown;
    }

    /** Returns the time by the database's clock; the time of creation until the first heartbeat. */
    public Instant lastHeartbeat() {
        return Instant.EPOCH.plus(heardMicros, ChronoUnit.MICROS);
    }

    /** Sets the heartbeat in all registries that share this record. */
    public void hear(Instant heartbeat) {
        heardMicros = micros(heartbeat);
    }

    /** Returns whether the last heartbeat is at most {@code downTime} away from now, in either direction. */
    public boolean isHeardOf(Instant now, Duration downTime) {
        return isHeardOf(micros(now), TimeUnit.MICROSECONDS.convert(downTime));
    }

    /** Does the same, in microseconds since 1970, for callers that check thousands of services at one moment. */
    public boolean isHeardOf(long nowMicros, long downMicros) {
        return Math.abs(nowMicros - heardMicros) <= downMicros;
    }

    /** Returns microseconds since 1970. */
    public static long micros(Instant moment) {
        return moment.getEpochSecond() * 1_000_000 + moment.getNano() / 1_000;
    }
}
