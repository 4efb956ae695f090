package io.berth.scheduler.request;

import jakarta.annotation.Nullable;
import java.util.List;

/**
 * A network or port the instance is to have.
 *
 * @param segmentIds of the network; with fixed addresses, of their subnets
 * @param fixedIps addresses the port already has
 * @param remoteManaged the port is served by a SmartNIC
 */
public record RequestedNetwork(
        @Nullable String networkId,
        @Nullable String portId,
        List<String> segmentIds,
        List<String> fixedIps,
        boolean remoteManaged) {
    public RequestedNetwork {
        segmentIds = List.copyOf(segmentIds);
        fixedIps = List.copyOf(fixedIps);
    }
}
