package io.berth.scheduler.request.query;

import io.berth.model.StandardResourceClasses;
import io.berth.model.StandardTraits;
import io.berth.scheduler.numa.FlavorAndImage;
import io.berth.scheduler.pci.PciRequest;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.text.DerivedValue;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Derives the {@link PlacementRequest}, from which the query to placement is built, from a request spec. */
public final class PlacementRequests {
    /**
     * Maximum number of PCI devices of one instance with PCI in placement; a request for more is refused, because each
     * device is a request group of the query.
     */
    private static final int PCI_DEVICES_MAX = 256;
    /** The scheduler hints that name other instances or a server group. */
    private static final List<String> HINTS_ABOUT_OTHERS = List.of("group", "same_host", "different_host");

    private PlacementRequests() {}

    /**
     * Derives the placement request. With PCI in placement, returns a refusal if an alias does not have exactly one
     * alternative, or if the instance requests more than {@value #PCI_DEVICES_MAX} devices.
     *
     * @param pciInPlacement whether PCI devices of aliases become request groups, one for each device
     */
    public static DerivedValue<PlacementRequest> of(RequestSpec spec, boolean pciInPlacement) {
        RequestedDestination destination = spec.requestedDestination();
        List<OutsideGroup> groups = new ArrayList<>(spec.requestedResources());
        Set<String> existingGroupIds = spec.requestedResources().stream()
                .map(OutsideGroup::requesterId)
                .collect(Collectors.toSet());
        Set<String> pciRequestIds = new TreeSet<>();
        long deviceCount = 0;
        if (pciInPlacement) {
            for (PciRequest pci : spec.pciRequests()) {
                if (pci.aliasName() == null || pci.requestId() == null) {
                    continue;
                }
                if (pci.spec().size() != 1) {
                    return new DerivedValue.Refused<>(
                            "PCI alias " + pci.aliasName() + " must have one alternative with PCI in placement");
                }
                deviceCount += Math.max(0, pci.count());
                if (deviceCount > PCI_DEVICES_MAX) {
                    return new DerivedValue.Refused<>("an instance may request at most " + PCI_DEVICES_MAX
                            + " PCI devices; with " + pci.aliasName() + " it requests " + deviceCount);
                }
                pciRequestIds.add(pci.requestId());
                addPciGroups(pci, existingGroupIds, groups);
            }
        }
        return new DerivedValue.Value<>(new PlacementRequest(
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
                HINTS_ABOUT_OTHERS.stream().anyMatch(spec.schedulerHints().values()::containsKey),
                rootRequired(spec),
                spec.requestLevelParams().rootForbidden(),
                destination == null ? List.of() : destination.aggregates(),
                destination == null ? Set.of() : destination.forbiddenAggregates()));
    }

    /**
     * Returns the traits that the root provider must have. If a PCI request is for a port on a SmartNIC, adds the trait
     * for such ports here, because nova's messages mark the port only in its PCI request.
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
     * Adds one group for each device of a request, so that placement may choose a different provider for each device.
     *
     * @param existingGroupIds ids of the request groups that the request contains already; nova's API and conductor may
     *         have created a device's group, which is then not added again
     */
    private static void addPciGroups(PciRequest pci, Set<String> existingGroupIds, List<OutsideGroup> groups) {
        Map<String, ?> spec = pci.spec().getFirst();
        Set<String> traits = traits(spec.get("traits"));
        Map<String, Long> resources = Map.of(resourceClass(spec), 1L);
        for (int i = 0; i < pci.count(); i++) {
            String id = pci.requestId() + "-" + i;
            if (!existingGroupIds.contains(id)) {
                groups.add(new OutsideGroup(id, resources, traits, Set.of(), List.of(), null));
            }
        }
    }

    /**
     * Returns the resource class that an alias names; if it names none, the custom class whose name has the ids of
     * vendor and product.
     */
    private static String resourceClass(Map<String, ?> spec) {
        return spec.get("resource_class") == null
                ? "CUSTOM_PCI_" + PlacementNames.normalized(spec.get("vendor_id") + "_" + spec.get("product_id"))
                : PlacementNames.orCustom(spec.get("resource_class").toString(), StandardResourceClasses.NAMES);
    }

    /**
     * Returns the traits of a list of names, or of one text in which commas separate the names. Null means no traits.
     */
    private static Set<String> traits(@Nullable Object namesOrText) {
        Collection<?> names = switch (namesOrText) {
            case null -> List.of();
            case Collection<?> list -> list;
            default -> List.of(namesOrText.toString().split(","));
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
