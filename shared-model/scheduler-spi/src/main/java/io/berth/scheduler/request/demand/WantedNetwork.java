package io.berth.scheduler.request.demand;

import java.util.List;
import java.util.Objects;

/**
 * A network that an instance is to be attached to.
 *
 * @param portId null for a bare network
 * @param segmentIds segments of the network; for a port with fixed addresses the first is the one of its first subnet
 * @param hasFixedIps whether the port has addresses already
 * @param remoteManaged whether the port is on a SmartNIC
 */
public record WantedNetwork(
        String networkId, String portId, List<String> segmentIds, boolean hasFixedIps, boolean remoteManaged) {
    public WantedNetwork {
        Objects.requireNonNull(segmentIds, "segmentIds");
    }

    /** Returns the segments of which one must be reachable; empty means that any host will do. */
    public List<String> reachableSegments() {
        return portId != null && hasFixedIps && segmentIds.size() > 1 ? segmentIds.subList(0, 1) : segmentIds;
    }
}
