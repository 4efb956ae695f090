package io.berth.scheduler.host;

import jakarta.annotation.Nullable;
import java.util.Map;

/** A host aggregate that a host is in. Metadata is free text that filters and weighers read by key. */
public record HostAggregate(
        @Nullable Long id, @Nullable String uuid, @Nullable String name, Map<String, String> metadata) {
    public HostAggregate {
        metadata = Map.copyOf(metadata);
    }
}
