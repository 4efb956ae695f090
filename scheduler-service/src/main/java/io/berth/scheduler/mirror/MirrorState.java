package io.berth.scheduler.mirror;

import jakarta.annotation.Nullable;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/**
 * What is still to be brought to placement, by the database's clock.
 *
 * @param pending hosts
 * @param oldestSince null when nothing is pending
 * @param oldestSeconds how long the oldest has been pending; null when nothing is
 * @param lastError of all attempts for hosts that are pending; null if there was none
 * @param hosts the longest pending first; not all, if there are many
 */
record MirrorState(
        long pending,
        @Nullable OffsetDateTime oldestSince,
        @Nullable Double oldestSeconds,
        @Nullable String lastError,
        List<Host> hosts) {
    /** @param attempts since the registry last changed for the host */
    record Host(
            String name,
            boolean status,
            Set<UUID> aggregates,
            Set<UUID> computeNodes,
            OffsetDateTime since,
            OffsetDateTime nextAt,
            int attempts,
            @Nullable String lastError,
            @Nullable OffsetDateTime lastErrorAt) {}
}
