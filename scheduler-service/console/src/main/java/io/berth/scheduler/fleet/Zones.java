package io.berth.scheduler.fleet;

import io.berth.scheduler.host.HostAggregate;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/** Determines a host's availability zone from the metadata of its aggregates. */
final class Zones {
    private Zones() {}

    /** Returns null if no aggregate states a zone; the first zone by name if aggregates state several. */
    static @Nullable String of(List<HostAggregate> aggregates) {
        return aggregates.stream()
                .map(aggregate -> aggregate.metadata().get("availability_zone"))
                .filter(Objects::nonNull)
                .min(String::compareTo)
                .orElse(null);
    }
}
