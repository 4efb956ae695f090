package io.berth.scheduler.request.demand;

import jakarta.annotation.Nullable;
import java.util.List;
import java.util.Objects;

/**
 * A network to which a requested instance will be attached.
 *
 * @param networkId uuid of the network; null if unknown
 * @param portId uuid of the port; null if only the network is requested
 * @param segmentIds uuids of the network's segments; for a port with fixed addresses, the segment of the port's first
 *         subnet is the first element
 * @param hasFixedIps whether the port already has fixed addresses
 * @param remoteManaged whether the port is on a SmartNIC
 */
public record RequestedNetwork(
        @Nullable String networkId, @Nullable String portId, List<String> segmentIds, boolean hasFixedIps,
        boolean remoteManaged) {
    public RequestedNetwork {
        Objects.requireNonNull(segmentIds, "segmentIds");
    }

    /**
     * Returns the segments of which a host must reach at least one: for a port with fixed addresses only the first
     * segment, otherwise all segments. Empty if any host is suitable.
     */
    public List<String> reachableSegments() {
        return portId != null && hasFixedIps && segmentIds.size() > 1 ? segmentIds.subList(0, 1) : segmentIds;
    }
}
