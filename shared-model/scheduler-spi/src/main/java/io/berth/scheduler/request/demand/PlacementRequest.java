package io.berth.scheduler.request.demand;

import io.berth.scheduler.numa.FlavorAndImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of a request that concerns placement. Prefilters return a changed copy.
 *
 * @param projectId null if unknown
 * @param availabilityZone null if none is requested
 * @param flavorAndImage extra specs, of which the query takes {@code resources:} and {@code trait:}, canonical image
 * properties, VCPUs and memory in MiB
 * @param rootGb root disk, GiB
 * @param ephemeralGb ephemeral disk, GiB
 * @param swapMb swap disk, MiB
 * @param diskFormat of the image, null without one
 * @param bootFromVolume whether the root disk is a volume
 * @param networks requested networks
 * @param outsideGroups groups that do not come from the flavor
 * @param pciRequestIds ids of the requests whose groups are named {@code <id>-<n>}
 * @param sameSubtree each entry names groups whose providers must be under one of them
 * @param nearOthers whether a hint names other instances or a group: then no limit may exclude hosts
 * @param rootRequired traits the root provider must have; prefilters add to it, as to the three below
 * @param rootForbidden traits the root provider must not have; those of the flavor are not here
 * @param memberOf aggregate uuids: entries are AND-ed, the members of one OR-ed
 * @param notMemberOf aggregate uuids that a provider must not be in
 */
public record PlacementRequest(
        String projectId,
        String availabilityZone,
        FlavorAndImage flavorAndImage,
        long rootGb,
        long ephemeralGb,
        long swapMb,
        String diskFormat,
        boolean bootFromVolume,
        List<WantedNetwork> networks,
        List<OutsideGroup> outsideGroups,
        Set<String> pciRequestIds,
        List<List<String>> sameSubtree,
        boolean nearOthers,
        Set<String> rootRequired,
        Set<String> rootForbidden,
        List<Set<String>> memberOf,
        Set<String> notMemberOf) {
    public PlacementRequest {
        Objects.requireNonNull(flavorAndImage, "flavorAndImage");
        Objects.requireNonNull(pciRequestIds, "pciRequestIds");
        networks = List.copyOf(networks);
        outsideGroups = List.copyOf(outsideGroups);
        sameSubtree = List.copyOf(sameSubtree);
        memberOf = List.copyOf(memberOf);
    }

    public PlacementRequest withRootRequired(Set<String> traits) {
        return with(outsideGroups, union(rootRequired, traits), rootForbidden, memberOf, notMemberOf);
    }

    public PlacementRequest withRootForbidden(Set<String> traits) {
        return with(outsideGroups, rootRequired, union(rootForbidden, traits), memberOf, notMemberOf);
    }

    /** Adds an entry that must hold together with the existing ones. */
    public PlacementRequest withMemberOf(Set<String> oneOf) {
        List<Set<String>> all = new ArrayList<>(memberOf);
        all.add(oneOf);
        return with(outsideGroups, rootRequired, rootForbidden, all, notMemberOf);
    }

    public PlacementRequest withNotMemberOf(Set<String> aggregates) {
        return with(outsideGroups, rootRequired, rootForbidden, memberOf, union(notMemberOf, aggregates));
    }

    public PlacementRequest withOutsideGroups(List<OutsideGroup> groups) {
        return with(groups, rootRequired, rootForbidden, memberOf, notMemberOf);
    }

    private PlacementRequest with(
            List<OutsideGroup> groups,
            Set<String> required,
            Set<String> forbidden,
            List<Set<String>> member,
            Set<String> notMember) {
        return new PlacementRequest(
                projectId,
                availabilityZone,
                flavorAndImage,
                rootGb,
                ephemeralGb,
                swapMb,
                diskFormat,
                bootFromVolume,
                networks,
                groups,
                pciRequestIds,
                sameSubtree,
                nearOthers,
                required,
                forbidden,
                member,
                notMember);
    }

    private static Set<String> union(Set<String> some, Set<String> more) {
        Set<String> all = new TreeSet<>(some);
        all.addAll(more);
        return all;
    }
}
