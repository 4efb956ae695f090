package io.berth.scheduler.request.demand;

import io.berth.scheduler.numa.FlavorAndImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of a scheduling request from which the query to placement is built. Prefilters return a changed copy.
 *
 * @param projectId null if unknown
 * @param availabilityZone null if none is requested
 * @param flavorAndImage the extra specs, the canonical image properties, the virtual CPUs and the memory in MiB; the
 *         query takes the extra specs {@code resources:} and {@code trait:}
 * @param rootGb root disk, GiB
 * @param ephemeralGb ephemeral disk, GiB
 * @param swapMb swap disk, MiB
 * @param diskFormat disk format of the image; null if there is no image
 * @param bootFromVolume whether the root disk is a volume
 * @param networks requested networks
 * @param outsideGroups request groups that do not come from the flavor
 * @param pciRequestIds ids of the PCI requests; the groups of a request are called {@code <id>-<n>}
 * @param sameSubtree each entry names groups; one of their providers must be an ancestor of the others
 * @param nearOthers whether a hint names other instances or a group; if so, the query has no limit, which could cut off
 *         their hosts
 * @param rootRequired traits the root provider must have; prefilters add to this and to the next three parameters
 * @param rootForbidden traits the root provider must not have, apart from those that the flavor forbids
 * @param memberOf aggregate uuids; a provider must be in at least one aggregate of each entry
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

    /** Returns a copy with one more entry of {@code memberOf}. */
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
