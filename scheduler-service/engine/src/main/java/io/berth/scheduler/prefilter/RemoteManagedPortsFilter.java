package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.RequestedNetwork;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.Set;

/**
 * Requires the trait COMPUTE_REMOTE_MANAGED_PORTS if a port of the request is on a SmartNIC.
 *
 * <p>Differs from nova: nova queries neutron; here the request marks the network or the port's PCI request as
 * remote-managed. If only the PCI request is marked, the trait is required already before the prefilters run.
 */
final class RemoteManagedPortsFilter implements RequestPrefilter {
    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        boolean remote = request.networks().stream().anyMatch(RequestedNetwork::remoteManaged);
        return PrefilterResult.requireOnRoot(request, remote ? Set.of("COMPUTE_REMOTE_MANAGED_PORTS") : Set.of());
    }
}
