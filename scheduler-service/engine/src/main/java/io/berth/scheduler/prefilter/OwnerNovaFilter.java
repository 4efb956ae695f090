package io.berth.scheduler.prefilter;

import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.spi.RequestPrefilter;
import java.util.List;
import java.util.Set;

/**
 * Requires the trait OWNER_NOVA on the root provider and in every group of a PCI request, which excludes providers that
 * other services own. Changes nothing if the request requires the trait on the root provider already.
 *
 * <p>Option: {@code berth.scheduler.require-owner-nova}, unset by default.
 * <br>Differs from nova: if Berth does not read nova's databases, only the option enables the prefilter. If Berth reads
 * them and the option is not set, the prefilter is enabled as in nova, once all compute services are new enough to set
 * the trait.
 */
final class OwnerNovaFilter implements RequestPrefilter {
    private static final String OWNER = "OWNER_NOVA";

    @Override
    public PrefilterResult apply(PlacementRequest request, PrefilterInputs inputs) {
        if (!inputs.options().requireOwnerNova() || request.rootRequired().contains(OWNER)) {
            return new PrefilterResult.Continue(request);
        }
        List<OutsideGroup> groups = request.outsideGroups().stream()
                .map(group -> isOfPciRequest(group, request) ? group.withRequiredTrait(OWNER) : group)
                .toList();
        return new PrefilterResult.Continue(
                request.withOutsideGroups(groups).withRootRequired(Set.of(OWNER)));
    }

    private static boolean isOfPciRequest(OutsideGroup group, PlacementRequest request) {
        String id = group.requesterId();
        int dash = id == null ? -1 : id.lastIndexOf('-');
        return id != null && dash > 0 && request.pciRequestIds().contains(id.substring(0, dash));
    }
}
