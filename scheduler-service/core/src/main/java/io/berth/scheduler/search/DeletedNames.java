package io.berth.scheduler.search;

import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.SchedulerHints;
import jakarta.annotation.Nullable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ignores zones and server groups that no longer exist, in the request of an instance that was placed before: a move,
 * an evacuation or an unshelving repeats the stored request, and a client cannot change its names. Pure.
 * <br>Source: nova {@code objects/request_spec.py} (a deleted group is dropped), {@code scheduler/request_filter.py} (a
 * zone of no aggregate restricts nothing).
 */
public final class DeletedNames {
    private DeletedNames() {}

    /**
     * Returns the request without zones that no aggregate has, and without a server group that is not registered. A
     * group whose policy is in the request is kept.
     *
     * @param defaultZone name of the zone of hosts without an aggregate, which always exists
     */
    public static RequestSpec ignore(RequestSpec spec, RegistrySnapshot registry, String defaultZone) {
        RequestSpec.Builder kept = spec.toBuilder();
        String zone = spec.availabilityZone();
        if (zone != null && !zone.isEmpty()) {
            kept.availabilityZone(keepKnown(zone, UnknownNames.zones(registry, defaultZone)));
        }
        if (UnknownNames.findUnknownGroup(spec, registry) != null) {
            Map<String, List<String>> hints = new HashMap<>(spec.schedulerHints().values());
            hints.remove("group");
            kept.instanceGroup(null).schedulerHints(new SchedulerHints(hints));
        }
        return kept.build();
    }

    /**
     * Returns the known zones of a request; null if none is known. The text may be one zone whose name has commas, or
     * zones separated by commas.
     */
    private static @Nullable String keepKnown(String zoneList, Set<String> zones) {
        if (zones.contains(zoneList)) {
            return zoneList;
        }
        String knownZones =
                AggregateMetadata.split(zoneList).stream().filter(zones::contains).collect(Collectors.joining(","));
        return knownZones.isEmpty() ? null : knownZones;
    }
}
