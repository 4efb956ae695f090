package io.berth.scheduler.filter;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The instances that a hint names, possibly many thousands. For each host, iterates over the hinted instances or over
 * the host's, whichever are fewer.
 */
final class HintedInstances {
    private final Set<String> uuids;

    HintedInstances(RequestSpec spec, String hint) {
        uuids = new LinkedHashSet<>(spec.schedulerHints().list(hint));
    }

    /** Returns a hinted instance that runs on the host; null if there is none. */
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
