package io.berth.scheduler.filter;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.LinkedHashSet;
import java.util.Set;

/** Instances that a hint names: many thousands if a user likes. Of the two sets the smaller is walked for each host. */
final class HintedInstances {
    private final Set<String> uuids;

    HintedInstances(RequestSpec spec, String hint) {
        uuids = new LinkedHashSet<>(spec.schedulerHints().list(hint));
    }

    /** One of them that runs there; null for none. */
    @Nullable String findOn(HostState host) {
        Set<String> there = host.instances().keySet();
        Set<String> fewer = uuids.size() <= there.size() ? uuids : there;
        Set<String> others = fewer == uuids ? there : uuids;
        for (String uuid : fewer) {
            if (others.contains(uuid)) {
                return uuid;
            }
        }
        return null;
    }
}
