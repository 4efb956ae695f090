package io.berth.scheduler.fleet;

import io.berth.scheduler.host.HostAggregate;
import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/** Determines availability zones, which aggregates state. */
final class Zones {
    private Zones() {}

    /** Returns null if none of the host's aggregates states one; the first by name if several do. */
    static @Nullable String of(List<HostAggregate> aggregates) {
        return aggregates.stream()
                .map(aggregate -> aggregate.metadata().get("availability_zone"))
                .filter(Objects::nonNull)
                .min(String::compareTo)
                .orElse(null);
    }
}
