package io.berth.scheduler.search;

import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.demand.OutsideGroup;
import io.berth.scheduler.text.Uuids;
import jakarta.annotation.Nullable;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Renders demands of a query to placement in the terms of the request that they come from: its zone, its named hosts
 * and its ports. Other demands stay unchanged. Pure.
 */
record RequestTerms(RequestSpec spec, RegistrySnapshot registry) {
    static final String ZONE = "availability_zone=";
    private static final String MEMBER_OF = "member_of=in:";
    private static final String IN_TREE = "in_tree=";
    /** Beginnings of rendered demands that contain the name of a host. */
    private static final List<String> HOST_DEMANDS =
            List.of(IN_TREE, "requested_destination=", "force_hosts=", "force_nodes=");

    /**
     * Returns a demand in the request's terms.
     *
     * @param demand as sent to placement
     * @param demandWithNames the demand with names instead of uuids
     */
    String of(String demand, String demandWithNames) {
        if (demand.startsWith(MEMBER_OF) && isZone(demand.substring(MEMBER_OF.length()))) {
            return ZONE + spec.availabilityZone();
        }
        if (demand.startsWith(IN_TREE)) {
            String host = hostField();
            return host == null ? demandWithNames : host;
        }
        return renderPort(demandWithNames);
    }

    /** Returns a rendered demand without the name of a host, for a tenant. */
    static String withoutHost(String demand) {
        return HOST_DEMANDS.stream()
                .filter(demand::startsWith)
                .findFirst()
                .map(member -> member.substring(0, member.length() - 1))
                .orElse(demand);
    }

    /**
     * Returns whether these aggregates, separated by commas, are exactly the registered aggregates of the request's
     * zone.
     */
    private boolean isZone(String aggregates) {
        String zone = spec.availabilityZone();
        Set<String> ofZone = registry.listAggregates().stream()
                .filter(aggregate -> zone != null && zone.equals(aggregate.metadata().get("availability_zone")))
                .map(RegisteredAggregate::uuid)
                .map(Object::toString)
                .collect(Collectors.toSet());
        return !ofZone.isEmpty() && ofZone.equals(Set.copyOf(Arrays.asList(aggregates.split(","))));
    }

    /**
     * Returns the first field in which the request names hosts or nodes, with their names: the destination, the forced
     * hosts or the forced nodes. Null if it names none.
     */
    private @Nullable String hostField() {
        RequestedDestination destination = spec.requestedDestination();
        if (destination != null && destination.host() != null) {
            return "requested_destination=" + destination.host();
        }
        return !spec.forceHosts().isEmpty()
                ? "force_hosts=" + String.join(",", spec.forceHosts())
                : spec.forceNodes().isEmpty() ? null : "force_nodes=" + String.join(",", spec.forceNodes());
    }

    /**
     * Renders the demand of a port as "port UUID: DEMAND". The request group of a port has the port's uuid as its
     * suffix.
     */
    private String renderPort(String demandWithNames) {
        int equals = demandWithNames.indexOf('=');
        for (OutsideGroup group : spec.requestedResources()) {
            String id = group.requesterId();
            if (id != null && Uuids.find(id) != null && equals > id.length()
                    && demandWithNames.startsWith(id, equals - id.length())) {
                return "port " + id + ": " + demandWithNames.substring(0, equals - id.length())
                        + demandWithNames.substring(equals);
            }
        }
        return demandWithNames;
    }
}
