package io.berth.scheduler.fleet;

import io.berth.scheduler.host.HostAggregate;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/** Determines a host's availability zone from the metadata of its aggregates. */
final class Zones {
    private Zones() {}

    /** Returns the zone; null if no aggregate has one. Of several zones, returns the first in text order. */
    static @Nullable String of(List<HostAggregate> aggregates) {
        return aggregates.stream()
                .map(aggregate -> aggregate.metadata().get("availability_zone"))
                .filter(Objects::nonNull)
                .min(String::compareTo)
                .orElse(null);
    }
}
