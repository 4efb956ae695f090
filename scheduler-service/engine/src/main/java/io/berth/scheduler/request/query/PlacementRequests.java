package io.berth.scheduler.request.query;

import io.berth.model.StandardResourceClasses;
import io.berth.model.StandardTraits;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.text.Derived;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Derives the placement request from a request spec. */
public final class PlacementRequests {
    /** Limits the devices of one instance: no host has more, and each is a group of its own in the query. */
    private static final int PCI_DEVICES_MAX = 256;
    private static final List<String> HINTS_NEAR_OTHERS = List.of("group", "same_host", "different_host");

    private PlacementRequests() {}

    /** @param pciInPlacement whether devices of flavor aliases are requested from placement too, one group each */
    public static Derived<PlacementRequest> of(RequestSpec spec, boolean pciInPlacement) {
        RequestedDestination destination = spec.requestedDestination();
        List<OutsideGroup> groups = new ArrayList<>(spec.requestedResources());
        Set<String> given = spec.requestedResources().stream()
                .map(OutsideGroup::requesterId)
                .collect(Collectors.toSet());
        Set<String> pciRequestIds = new TreeSet<>();
        long devices = 0;
        if (pciInPlacement) {
            for (PciRequest pci : spec.pciRequests()) {
                if (pci.aliasName() == null || pci.requestId() == null) {
                    continue;
                }
                if (pci.spec().size() != 1) {
                    return new Derived.Refused<>(
                            "PCI alias " + pci.aliasName() + " must have one alternative with PCI in placement");
                }
                devices += Math.max(0, pci.count());
                if (devices > PCI_DEVICES_MAX) {
                    return new Derived.Refused<>("an instance gets no more than " + PCI_DEVICES_MAX
                            + " PCI devices, and " + pci.aliasName() + " makes " + devices);
                }
                pciRequestIds.add(pci.requestId());
                addPciGroups(pci, given, groups);
            }
        }
        return new Derived.Value<>(new PlacementRequest(
                spec.projectId(),
                spec.availabilityZone(),
                new FlavorAndImage(
                        spec.flavor().extraSpecs(),
                        spec.imageProperties().values(),
                        Math.toIntExact(spec.flavor().vcpus()),
                        spec.flavor().memoryMb()),
                spec.flavor().rootGb(),
                spec.flavor().ephemeralGb(),
                spec.flavor().swapMb(),
                spec.image() == null ? null : spec.image().diskFormat(),
                spec.bootFromVolume(),
                spec.requestedNetworks(),
                groups,
                pciRequestIds,
                spec.requestLevelParams().sameSubtree(),
                HINTS_NEAR_OTHERS.stream().anyMatch(spec.schedulerHints().values()::containsKey),
                rootRequired(spec),
                spec.requestLevelParams().rootForbidden(),
                destination == null ? List.of() : destination.aggregates(),
                destination == null ? Set.of() : destination.forbiddenAggregates()));
    }

    /**
     * Returns the traits that the root provider must have. Adds the trait for a port on a SmartNIC: nova's messages
     * mark such a port only in its PCI request, since nova queries neutron for each network.
     * <br>Source: nova {@code network/neutron.py} (create_resource_requests).
     */
    private static Set<String> rootRequired(RequestSpec spec) {
        Set<String> traits = new TreeSet<>(spec.requestLevelParams().rootRequired());
        if (spec.pciRequests().stream().anyMatch(PciRequest::isRemoteManaged)) {
            traits.add("COMPUTE_REMOTE_MANAGED_PORTS");
        }
        return traits;
    }

    /**
     * Adds one group per unit, so that each device may come from another provider.
     *
     * @param given ids of groups that the request already contains: nova's API and conductor create them themselves
     */
    private static void addPciGroups(PciRequest pci, Set<String> given, List<OutsideGroup> groups) {
        Map<String, ?> spec = pci.spec().getFirst();
        Set<String> traits = traits(spec.get("traits"));
        Map<String, Long> resources = Map.of(resourceClass(spec), 1L);
        for (int i = 0; i < pci.count(); i++) {
            String id = pci.requestId() + "-" + i;
            if (!given.contains(id)) {
                groups.add(new OutsideGroup(id, resources, traits, Set.of(), List.of(), null));
            }
        }
    }

    /** Returns the alias's class, or one made of vendor and product. */
    private static String resourceClass(Map<String, ?> spec) {
        return spec.get("resource_class") == null
                ? "CUSTOM_PCI_" + PlacementNames.normalized(spec.get("vendor_id") + "_" + spec.get("product_id"))
                : PlacementNames.orCustom(spec.get("resource_class").toString(), StandardResourceClasses.NAMES);
    }

    /** Reads traits from a list or from text with commas. */
    private static Set<String> traits(Object stated) {
        Collection<?> names = switch (stated) {
            case null -> List.of();
            case Collection<?> list -> list;
            default -> List.of(stated.toString().split(","));
        };
        Set<String> traits = new TreeSet<>();
        for (Object name : names) {
            if (!name.toString().isBlank()) {
                traits.add(PlacementNames.orCustom(name.toString().strip(), StandardTraits.NAMES));
            }
        }
        return traits;
    }
}
