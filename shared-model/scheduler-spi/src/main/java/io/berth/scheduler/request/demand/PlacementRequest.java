package io.berth.scheduler.request.demand;

import io.berth.scheduler.numa.FlavorAndImage;
import jakarta.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of a scheduling request from which the query to placement is built. Prefilters return changed copies of this
 * value.
 *
 * @param projectId null if unknown
 * @param availabilityZone null if none is requested
 * @param flavorAndImage flavor and image; the query contains the extra specs {@code resources:} and {@code trait:}
 * @param rootGb root disk in GiB
 * @param ephemeralGb ephemeral disk in GiB
 * @param swapMb swap disk in MiB
 * @param diskFormat disk format of the image; null if it is unknown or there is no image
 * @param bootFromVolume whether the root disk is a volume
 * @param networks requested networks
 * @param outsideGroups request groups in addition to the request groups of the flavor; prefilters may change them
 * @param pciRequestIds ids of the PCI requests that have request groups; the suffixes of these groups are {@code
 *         <id>-<n>}, with n from 0
 * @param sameSubtree lists of suffixes of request groups; in each list, the provider of one group must be the same as,
 *         or an ancestor of, the provider of each other group
 * @param nearOthers whether a scheduler hint names other instances or a server group. If true, the query is built
 *         without a limit of candidates, because a limited response might lack the hosts of these instances
 * @param rootRequired traits that the root provider must have. Prefilters add to this set and to the next three members
 * @param rootForbidden traits that the root provider must not have
 * @param memberOf aggregate uuids; a provider must be in at least one aggregate of each entry
 * @param notMemberOf uuids of aggregates in which a provider must not be
 */
public record PlacementRequest(
        @Nullable String projectId,
        @Nullable String availabilityZone,
        FlavorAndImage flavorAndImage,
        long rootGb,
        long ephemeralGb,
        long swapMb,
        @Nullable String diskFormat,
        boolean bootFromVolume,
        List<RequestedNetwork> networks,
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
        List<Set<String>> entries = new ArrayList<>(memberOf);
        entries.add(oneOf);
        return with(outsideGroups, rootRequired, rootForbidden, entries, notMemberOf);
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

    private static Set<String> union(Set<String> first, Set<String> second) {
        Set<String> union = new TreeSet<>(first);
        union.addAll(second);
        return union;
    }
}
