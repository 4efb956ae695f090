package io.berth.scheduler.search;

import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.SchedulerHints;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Ignores zones and server groups that an instance was placed with and that no longer exist when it is placed again by
 * a move, an evacuation or an unshelving, because the request of an existing instance cannot name others. Pure.
 * <br>Source: nova {@code objects/request_spec.py} (a deleted group is dropped), {@code scheduler/request_filter.py}
 * (a zone of no aggregate restricts nothing).
 */
public final class GoneNames {
    private GoneNames() {}

    /**
     * Returns the request without a zone that no aggregate has, and without a group that is not registered and has no
     * policy.
     */
    public static RequestSpec ignore(RequestSpec spec, RegistrySnapshot registry, String defaultZone) {
        RequestSpec.Builder kept = spec.toBuilder();
        String zone = spec.availabilityZone();
        if (zone != null && !zone.isEmpty()) {
            kept.availabilityZone(known(zone, UnknownNames.zones(registry, defaultZone)));
        }
        if (UnknownNames.findUnknownGroup(spec, registry) != null) {
            Map<String, List<String>> hints = new HashMap<>(spec.schedulerHints().values());
            hints.remove("group");
            kept.instanceGroup(null).schedulerHints(new SchedulerHints(hints));
        }
        return kept.build();
    }

    /** Returns the known zones of a list; null if none is known. */
    private static String known(String asked, Set<String> zones) {
        if (zones.contains(asked)) {
            return asked;
        }
        String left = AggregateMetadata.split(asked).stream().filter(zones::contains).collect(Collectors.joining(","));
        return left.isEmpty() ? null : left;
    }
}
