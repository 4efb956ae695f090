package io.berth.scheduler.filter;

import io.berth.scheduler.host.HostState;
import io.berth.scheduler.request.RequestSpec;
import jakarta.annotation.Nullable;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The instances that a scheduler hint names, possibly thousands. The search on a host iterates over the hinted
 * instances or over the host's instances, whichever are fewer.
 */
final class HintedInstances {
    private final Set<String> uuids;

    HintedInstances(RequestSpec spec, String hint) {
        uuids = new LinkedHashSet<>(spec.schedulerHints().list(hint));
    }

    /** Returns the uuid of a hinted instance that is on the host; null if none is. */
    @Nullable String findOn(HostState host) {
        Set<String> onHost = host.instances().keySet();
        Set<String> smaller = uuids.size() <= onHost.size() ? uuids : onHost;
        Set<String> larger = smaller == uuids ? onHost : uuids;
        for (String uuid : smaller) {
            if (larger.contains(uuid)) {
                return uuid;
            }
        }
        return null;
    }
}
