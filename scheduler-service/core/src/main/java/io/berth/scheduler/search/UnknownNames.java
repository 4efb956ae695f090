package io.berth.scheduler.search;

import io.berth.model.text.NearNames;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.host.AggregateMetadata;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.placement.http.PlacementVocabulary;
import io.berth.scheduler.request.InstanceGroup;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.request.query.QueryNames;
import io.berth.scheduler.text.Uuids;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Finds names in a request that do not exist: of zones, server groups, aggregates, traits and resource classes. Nova
 * accepts such names; the instance is then placed on any host, or refused for a reason that its owner cannot find out.
 *
 * <p>Option: {@code berth.scheduler.strict-names}, default true. If false, unknown names are accepted as in nova.
 */
@Singleton
public class UnknownNames {
    /** Maximum unknown names in one error message; for each, the most similar known name is searched. */
    private static final int NAMED_MAX = 20;

    /**
     * Maximum unregistered aggregates of a request; each costs a query to placement. A request with more is refused.
     */
    private static final int AGGREGATES_MAX = 100;

    private final boolean strict;
    private final PlacementClient placement;
    private final PlacementVocabulary vocabulary;

    UnknownNames(ConfiguredOptions configured, PlacementClient placement, PlacementVocabulary vocabulary) {
        this.strict = configured.strictNames();
        this.placement = placement;
        this.vocabulary = vocabulary;
    }

    /**
     * Returns a refusal for the first unknown zone, server group or aggregate of a request. Also refuses a request with
     * too many unregistered aggregates, and one whose aggregates cannot be looked up because placement does not
     * respond. Null if all names are known, or if unknown names are accepted.
     *
     * @param defaultZone name of the zone of hosts without an aggregate, which always exists
     */
    public Uni<HostSearch.Refused> find(RequestSpec spec, RegistrySnapshot registry, String defaultZone,
            String requestId) {
        if (!strict) {
            return Uni.createFrom().nullItem();
        }
        HostSearch.Refused zone = unknownZone(spec.availabilityZone(), registry, defaultZone);
        HostSearch.Refused unknown = zone != null ? zone : unknownGroup(spec, registry);
        List<String> aggregates = unknown == null ? unregistered(spec, registry) : List.of();
        if (aggregates.size() > AGGREGATES_MAX) {
            return Uni.createFrom().item(new HostSearch.Refused(
                    ErrorCode.REQUEST_INVALID, "$.request_spec: names more than " + AGGREGATES_MAX
                            + " aggregates that are not registered; register those that exist"));
        }
        return aggregates.isEmpty()
                ? Uni.createFrom().item(unknown)
                : Multi.createFrom().iterable(aggregates)
                        .onItem().transformToUniAndConcatenate(uuid -> unknownAggregate(uuid, registry, requestId))
                        .toUni();
    }

    /**
     * Explains why placement refused a query: returns a refusal that names its unknown traits or, if it has none, its
     * unknown resource classes, at most {@value #NAMED_MAX}. Null if all are known, if placement does not respond, or
     * if unknown names are accepted.
     */
    Uni<HostSearch.Refused> findInRefusedQuery(String query, String requestId) {
        if (!strict) {
            return Uni.createFrom().nullItem();
        }
        return vocabulary.traits(requestId)
                .map(knownNames -> refuseUnknown(
                        QueryNames.traits(query), knownNames, ErrorCode.UNKNOWN_TRAIT, "trait"))
                .chain(trait -> trait != null
                        ? Uni.createFrom().item(trait)
                        : vocabulary.resourceClasses(requestId).map(knownNames -> refuseUnknown(
                                QueryNames.resourceClasses(query), knownNames,
                                ErrorCode.UNKNOWN_RESOURCE_CLASS, "resource class")));
    }

    private static @Nullable HostSearch.Refused refuseUnknown(
            Set<String> named, Set<String> knownNames, ErrorCode code, String what) {
        // No known name at all: placement did not respond.
        String missing = knownNames.isEmpty()
                ? ""
                : named.stream()
                        .filter(name -> !knownNames.contains(name))
                        .limit(NAMED_MAX)
                        .map(name -> "placement knows no " + what + " " + name + NearNames.hint(name, knownNames))
                        .collect(Collectors.joining("; "));
        return missing.isEmpty() ? null : new HostSearch.Refused(code, missing);
    }

    /**
     * Returns a refusal for the first unknown zone; null if all are known. The text may be one zone whose name has
     * commas, or zones separated by commas.
     */
    private static @Nullable HostSearch.Refused unknownZone(
            @Nullable String zoneList, RegistrySnapshot registry, String defaultZone) {
        if (zoneList == null || zoneList.isEmpty()) {
            return null;
        }
        Set<String> zones = zones(registry, defaultZone);
        return zones.contains(zoneList)
                ? null
                : AggregateMetadata.split(zoneList).stream()
                        .filter(zone -> !zones.contains(zone))
                        .findFirst()
                        .map(zone -> new HostSearch.Refused(
                                ErrorCode.UNKNOWN_ZONE,
                                "there is no availability zone " + zone + NearNames.hint(zone, zones)))
                        .orElse(null);
    }

    /**
     * Returns the default zone and the zones of all aggregates. A zone with commas counts as a whole, and each of its
     * parts counts, too.
     */
    static Set<String> zones(RegistrySnapshot registry, String defaultZone) {
        Set<String> zones = new TreeSet<>();
        zones.add(defaultZone);
        for (RegisteredAggregate aggregate : registry.listAggregates()) {
            String zoneText = aggregate.metadata().get("availability_zone");
            if (zoneText != null) {
                zones.add(zoneText);
                zones.addAll(AggregateMetadata.split(zoneText));
            }
        }
        return zones;
    }

    /**
     * Returns the server group of a request as the request names it, if the group is unknown; otherwise null. A group
     * whose policy is in the request need not be registered.
     */
    static @Nullable String findUnknownGroup(RequestSpec spec, RegistrySnapshot registry) {
        InstanceGroup given = spec.instanceGroup();
        String named = given == null
                ? spec.schedulerHints().single("group")
                : given.policy() == null ? given.uuid() : null;
        UUID uuid = named == null ? null : Uuids.find(named);
        ServerGroup group = uuid == null ? null : registry.findServerGroup(uuid);
        return group != null && group.isRegistered() ? null : named;
    }

    private static @Nullable HostSearch.Refused unknownGroup(RequestSpec spec, RegistrySnapshot registry) {
        String named = findUnknownGroup(spec, registry);
        if (named == null) {
            return null;
        }
        List<ServerGroup> groups = registry.listServerGroups();
        String near = groups.stream()
                .filter(group -> named.equals(group.name()))
                .map(group -> "; near: " + group.uuid())
                .findFirst()
                .orElseGet(() -> NearNames.hint(
                        named, groups.stream().map(group -> group.uuid().toString()).toList()));
        return new HostSearch.Refused(ErrorCode.UNKNOWN_SERVER_GROUP, "there is no server group " + named + near);
    }

    /**
     * Returns the aggregates of a request that are not registered, each once, at most one more than
     * {@link #AGGREGATES_MAX}.
     */
    private static List<String> unregistered(RequestSpec spec, RegistrySnapshot registry) {
        return Stream.concat(ofDestination(spec.requestedDestination()), spec.requestedResources().stream()
                .flatMap(group -> group.aggregates().stream().flatMap(Set::stream)))
                .map(aggregate -> Uuids.find(aggregate) instanceof UUID uuid ? uuid.toString() : aggregate)
                .distinct()
                .filter(aggregate -> !isRegistered(aggregate, registry))
                .limit(AGGREGATES_MAX + 1)
                .toList();
    }

    private static Stream<String> ofDestination(@Nullable RequestedDestination destination) {
        return destination == null
                ? Stream.empty()
                : Stream.concat(
                        destination.aggregates().stream().flatMap(Set::stream),
                        destination.forbiddenAggregates().stream().sorted());
    }

    private static boolean isRegistered(String aggregate, RegistrySnapshot registry) {
        UUID uuid = Uuids.find(aggregate);
        return uuid != null && registry.findAggregate(uuid) != null;
    }

    /**
     * Looks up an unregistered aggregate in placement. Returns null if the aggregate has a provider and therefore
     * exists; otherwise a refusal.
     */
    private Uni<HostSearch.Refused> unknownAggregate(String aggregate, RegistrySnapshot registry, String requestId) {
        UUID uuid = Uuids.find(aggregate);
        Uni<ProvidersResult> members = uuid == null
                ? Uni.createFrom().item(new ProvidersResult.Listed(Map.of()))
                : placement.findProviders("member_of=" + uuid, requestId);
        return members.map(answer -> switch (answer) {
            case ProvidersResult.Listed listed when listed.namesByUuid().isEmpty() -> new HostSearch.Refused(
                    ErrorCode.UNKNOWN_AGGREGATE, "there is no aggregate " + aggregate + NearNames.hint(aggregate,
                            registry.listAggregates().stream().map(each -> each.uuid().toString()).toList()));
            case ProvidersResult.Listed _ -> null;
            case ProvidersResult.Unreachable(String why) ->
                new HostSearch.Refused(ErrorCode.PLACEMENT_UNAVAILABLE, "placement is unavailable: " + why);
        });
    }
}
