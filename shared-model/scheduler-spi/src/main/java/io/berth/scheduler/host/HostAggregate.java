package io.berth.scheduler.host;

import jakarta.annotation.Nullable;
import java.util.Map;

/**
 * A host aggregate of nova that contains the host. Its id, uuid and name are null if they are unknown.
 *
 * @param id database id
 * @param metadata free text by key, which filters and weighers read
 */
public record HostAggregate(
        @Nullable Long id, @Nullable String uuid, @Nullable String name, Map<String, String> metadata) {
    public HostAggregate {
        metadata = Map.copyOf(metadata);
    }
}
