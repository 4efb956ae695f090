package io.berth.scheduler.host;

import jakarta.annotation.Nullable;
import java.util.Map;

/** A host aggregate that a host is in. Filters and weighers read its metadata, which are free text, by key. */
public record HostAggregate(
        @Nullable Long id, @Nullable String uuid, @Nullable String name, Map<String, String> metadata) {
    public HostAggregate {
        metadata = Map.copyOf(metadata);
    }
}
