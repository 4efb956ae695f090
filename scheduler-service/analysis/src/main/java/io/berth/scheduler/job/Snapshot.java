package io.berth.scheduler.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.berth.model.Maps;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.decision.Preselection;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.decision.Warnings;
import io.berth.scheduler.filter.EnabledFilters;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ServerGroup;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostStates;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.ProviderResult;
import io.berth.scheduler.placement.ProvidersResult;
import io.berth.scheduler.placement.WhatIfResult;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.feed.References;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.selection.ServerGroups;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.text.Uuids;
import io.berth.scheduler.weigher.EnabledWeighers;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The basis of one analysis: the registry at one moment, the options, and the fleet in placement. Many methods block
 * while they query placement, so only the analysis worker may use a snapshot. Not thread-safe.
 *
 * <p>Placement keeps the fleet (all its providers) of its first response for the analysis, and all later responses
 * refer to the kept fleet, which {@link #asOf} identifies. If the kept fleet is lost, for example because its replica
 * stopped, later responses refer to the present fleet, and {@link #hasFleetChanged} is true if it differs. Allocations
 * of consumers and names of unregistered hosts are not part of the kept fleet: they are read as they are at the time of
 * the call.
 */
public final class Snapshot {
    /** The gap of a response if {@link #hasFleetChanged}. */
    public static final String PLACEMENT_CHANGED = "placement's data changed between two queries of this analysis";
    /** The gap of a response if {@link #choosesAtRandom}. */
    public static final String HOSTS_AT_RANDOM =
            "hosts are chosen at random (host_subset_size, shuffle_best_same_weighed_hosts)";
    /** The gap of a response if {@link RegistrySnapshot#hasOmittedInstances}. */
    public static final String INSTANCES_OMITTED =
            "instances: the registry has more than fit in memory; the others were not evaluated";

    /**
     * The time after the deadline for which the client still waits for a response, because placement itself stops at
     * the deadline, and for which placement keeps the fleet.
     */
    private static final Duration GRACE = Duration.ofSeconds(10);
    /** The number of consumers whose allocations are read concurrently. */
    private static final int CONCURRENT_READS = 16;
    /**
     * Matches a reference to a change in an error of placement. Groups: 1 index of the change, 2 its kind, 3 its
     * member.
     */
    private static final Pattern CHANGE =
            Pattern.compile("changes\\[([0-9]{1,6})](?:\\.(\\w+)((?:[.\\[][\\w\\]]+)*))?");

    private final AnalysisJobs jobs;
    private final Deadline deadline;
    private final String requestId;
    private final RegistrySnapshot registry;
    private final ArrayNode changes;
    /**
     * For each change of a scenario in {@link #changes} the path in the request's body that caused the change. The
     * changes of {@link #after} follow in {@code changes} and have no path.
     */
    private final List<String> origins;
    /** The names, by uuid, of roots that the changes add. */
    private final Map<String, String> addedRoots;
    private final Options options;
    private final EnabledFilters filters;
    private final EnabledWeighers weighers;
    private final Shared shared;

    /**
     * The state that all snapshots of an analysis share: the fleet to which placement's responses refer, and results
     * that are read only once.
     */
    private static final class Shared {
        /** The deadline of the whole analysis. */
        private final Deadline deadline;
        /** The fleet that placement keeps for this analysis, as REPLICA.VERSION; null: none yet, or lost. */
        private @Nullable String view;
        /**
         * The allocations of consumers, for each set of consumers that the reservations of one server group name.
         */
        private final Map<Set<UUID>, Map<UUID, AllocationsResult.Allocations>> allocationsOfReserving =
                new HashMap<>();
        /** The replica of placement that sent the first response. */
        private @Nullable String replica;
        /** The version of the fleet of the first response. */
        private @Nullable Long fleetVersion;
        /** True once a later response has referred to another fleet. */
        private boolean hasFleetChanged;

        private Shared(Deadline deadline) {
            this.deadline = deadline;
        }

        private void note(FleetResults results) {
            view = results.replica() + "." + results.fleetVersion();
            if (fleetVersion == null) {
                replica = results.replica();
                fleetVersion = results.fleetVersion();
            } else if (fleetVersion != results.fleetVersion() || !results.replica().equals(replica)) {
                hasFleetChanged = true;
            }
        }
    }

    Snapshot(
            AnalysisJobs jobs, RegistrySnapshot registry, Deadline deadline, String requestId, Options options,
            EnabledFilters filters, EnabledWeighers weighers) {
        this(
                jobs, deadline, requestId, registry, JsonNodeFactory.instance.arrayNode(), List.of(), Map.of(),
                options, filters, weighers, new Shared(deadline));
    }

    private Snapshot(
            AnalysisJobs jobs, Deadline deadline, String requestId, RegistrySnapshot registry, ArrayNode changes,
            List<String> origins, Map<String, String> addedRoots, Options options, EnabledFilters filters,
            EnabledWeighers weighers, Shared shared) {
        this.jobs = jobs;
        this.deadline = deadline;
        this.requestId = requestId;
        this.registry = registry;
        this.changes = changes;
        this.origins = origins;
        this.addedRoots = addedRoots;
        this.options = options;
        this.filters = filters;
        this.weighers = weighers;
        this.shared = shared;
    }

    /** Returns this snapshot with the registry and the changes of a scenario instead of its own. */
    public Snapshot with(Scenario scenario) {
        return new Snapshot(
                jobs, deadline, requestId, scenario.registry(), scenario.fleetChanges(),
                scenario.origins(), scenario.names(), options, filters, weighers, shared);
    }

    /** Returns this snapshot with other options. */
    public Snapshot with(Options other, EnabledFilters otherFilters, EnabledWeighers otherWeighers) {
        return new Snapshot(
                jobs, deadline, requestId, registry, changes, origins, addedRoots, other, otherFilters, otherWeighers,
                shared);
    }

    /**
     * Returns this snapshot with another registry and further changes of used amounts.
     *
     * @param later the other registry
     * @param use the changes, which apply after this snapshot's changes
     */
    public Snapshot after(RegistrySnapshot later, List<FleetUse> use) {
        ArrayNode more = JsonNodeFactory.instance.arrayNode();
        more.addAll(changes);
        use.forEach(each -> more.add(each.change()));
        return new Snapshot(
                jobs, deadline, requestId, later, more, origins, addedRoots, options, filters, weighers, shared);
    }

    /**
     * Returns this snapshot with an earlier deadline, for one part of the analysis.
     *
     * @param parts the number of parts that are still to be done, this one included; they share the remaining time
     * equally
     */
    public Snapshot within(int parts) {
        return within(deadline.left().dividedBy(parts));
    }

    /**
     * Returns this snapshot with a deadline after {@code atMost} from now, or with its present deadline if that is
     * earlier.
     */
    public Snapshot within(Duration atMost) {
        Duration remaining = deadline.left();
        return new Snapshot(
                jobs, new Deadline(remaining.compareTo(atMost) < 0 ? remaining : atMost), requestId, registry, changes,
                origins, addedRoots, options, filters, weighers, shared);
    }

    public RegistrySnapshot registry() {
        return registry;
    }

    /** Returns true if the options choose among several hosts at random, so that another analysis may differ. */
    public boolean choosesAtRandom() {
        Options.FilterScheduler options = options().filterScheduler();
        return options.hostSubsetSize() > 1 || options.shuffleBestSameWeighedHosts();
    }

    public Options options() {
        return options;
    }

    public Deadline deadline() {
        return deadline;
    }

    /**
     * Returns the inputs of decisions on this snapshot. Random choices have a fixed seed, so that results repeat.
     * Forced hosts must pass the filters whose rules a claim would enforce, because no claim follows.
     */
    public SchedulingInputs inputs(SchedulingInputs.Detail detail) {
        return new SchedulingInputs(options, filters, weighers, new SplittableRandom(0), detail).forAnalysis();
    }

    /** Returns the warnings about parts of the request that have no effect. */
    public List<String> warnings(RequestSpec spec) {
        return Warnings.of(spec, filters, options);
    }

    /** Returns the registry and the fleet of placement that the results refer to. */
    public AsOf asOf() {
        return new AsOf(shared.replica, shared.fleetVersion, registry.number(), registry.asOf());
    }

    /** Returns whether placement's responses so far refer to more than one fleet. */
    public boolean hasFleetChanged() {
        return shared.hasFleetChanged;
    }

    /**
     * Completes a request as decisions do (constraints, server group), and builds the queries to placement. Returns
     * {@link HostSearch.Refused} if it is clear without a query that there is no valid host. Throws ApiFault: 400 for
     * an invalid request or one that checks a rebuild, and the refusal of a decision if the request names an unknown
     * zone, server group or aggregate, or placement does not respond.
     *
     * @param toDerive which constraints are derived from flavor and image, because the request does not contain them
     */
    public HostSearch.Planned plan(RequestSpec request, Constraints.Open toDerive) {
        if (request.schedulerHints().asksForRebuildCheck()) {
            throw ApiFault.invalid("a rebuild keeps its host: placement is not queried for candidates");
        }
        RequestSpec derived =
                valueOf(Constraints.derive(request, toDerive, options, () -> UUID.randomUUID().toString()));
        HostSearch.Refused unknown = awaitOrNull(jobs.unknownNames.find(
                derived, registry, options.defaults().defaultAvailabilityZone(), requestId));
        if (unknown != null) {
            throw new ApiFault(unknown.code(), unknown.detail());
        }
        RegistrySnapshot withValidReservations = withValidReservations(ServerGroups.find(derived, registry));
        RequestSpec complete = valueOf(Preselection.isForced(derived)
                ? ServerGroups.completeForced(derived, withValidReservations, filters, weighers)
                : ServerGroups.complete(derived, withValidReservations, filters, weighers));
        HostSearch.Planned planned = await(jobs.search.plan(complete, registry, options, requestId));
        if (planned instanceof HostSearch.Refused refused && refused.code() != ErrorCode.NO_VALID_HOST) {
            throw new ApiFault(refused.code(), refused.detail());
        }
        return planned;
    }

    /**
     * Returns the registry without outdated reservations of a server group. A reservation is a slot on a host that an
     * instance of the group takes before the host is claimed; it is outdated if its consumer holds no allocation on the
     * reserved providers any more. A reservation without a consumer is kept. Decisions ignore outdated reservations,
     * too.
     */
    private RegistrySnapshot withValidReservations(@Nullable ServerGroup group) {
        Set<UUID> consumers = new HashSet<>();
        if (group != null) {
            group.reservations().stream().filter(reservation -> reservation.consumer() != null)
                    .forEach(reservation -> consumers.add(reservation.consumer()));
        }
        if (group == null || consumers.isEmpty()) {
            return registry;
        }
        Map<UUID, AllocationsResult.Allocations> held = shared.allocationsOfReserving.computeIfAbsent(
                consumers, this::allocations);
        List<ServerGroup.Reservation> valid = group.reservations().stream()
                .filter(reservation -> reservation.consumer() == null || !Collections.disjoint(
                        Maps.require(held, reservation.consumer()).allocations().keySet(), reservation.providers()))
                .toList();
        if (valid.size() == group.reservations().size()) {
            return registry;
        }
        ServerGroup changed = new ServerGroup(
                group.uuid(), group.name(), group.policy(), group.maxServerPerHost(), group.members(),
                group.isRegistered(), valid);
        return registry.after(
                Map.of(io.berth.scheduler.host.registry.RecordCollection.SERVER_GROUPS, Map.of(group.uuid(), changed)),
                registry.asOf());
    }

    private static <T> T valueOf(DerivedValue<T> derived) {
        return switch (derived) {
            case DerivedValue.Value<T>(T value) -> value;
            case DerivedValue.Refused<T>(String why) -> throw ApiFault.invalid(why);
        };
    }

    /**
     * Returns placement's results, one per query, on this snapshot's fleet. Throws ApiFault: 501 if placement is not
     * Berth's, 503 if it does not respond, 404 and 413 as placement returns them, and 400 for its other refusals.
     */
    public FleetResults ask(List<FleetQuery> asks) {
        return ask(List.of(), asks);
    }

    /**
     * Returns placement's results on this snapshot's fleet with further changes of used amounts. Throws as
     * {@link #ask(List)}.
     *
     * @param use amounts that count as used in addition to the usage in the fleet
     */
    public FleetResults ask(List<FleetUse> use, List<FleetQuery> asks) {
        boolean mayReturnReferences = asks.stream().anyMatch(
                ask -> ask instanceof FleetQuery.Candidates candidates && candidates.mayReturnReferences());
        List<String> after = mayReturnReferences ? jobs.trees.positions() : List.of();
        FleetResults results = ask(use, asks, after);
        if (!after.isEmpty()) {
            jobs.trees.learn(results.changed());
            if (!results.resolve(this::find)) {
                // A referenced tree is not known any more, because it has changed. The response without references has
                // all trees.
                results = ask(use, asks, List.of());
            }
        }
        return results;
    }

    /** Returns the candidates to which references point; null if a tree is unknown even after a query for it. */
    private @Nullable AllocationCandidates find(References references) {
        AllocationCandidates found = jobs.trees.find(references);
        if (found == null) {
            await(jobs.trees.askForLacking(references, requestId));
            found = jobs.trees.find(references);
        }
        return found;
    }

    private FleetResults ask(List<FleetUse> use, List<FleetQuery> asks, List<String> after) {
        Duration atMost = deadline.left();
        byte[] body = FleetQuery.render(
                shared.view, shared.deadline.left().plus(GRACE).toSeconds(), changes, use, asks, after,
                Math.max(1, atMost.toSeconds()));
        // Placement itself stops at the deadline and returns an incomplete result, so the client's timeout is longer.
        WhatIfResult result = await(jobs.placement.whatIf(body, atMost.plus(GRACE), requestId));
        return switch (result) {
            case WhatIfResult.Received(byte[] json) -> {
                FleetResults results = FleetResults.parse(json, asks, !after.isEmpty());
                shared.note(results);
                yield results;
            }
            case WhatIfResult.ViewLost _ when shared.view != null -> {
                shared.view = null;
                yield ask(use, asks, after);
            }
            case WhatIfResult.ViewLost _ -> throw unavailable("placement does not keep the fleet of an analysis");
            case WhatIfResult.NotSupported _ -> throw new ApiFault(
                    ErrorCode.NEEDS_BERTH_PLACEMENT, "this Placement does not know POST /berth/v1/what_if");
            case WhatIfResult.Refused(int status, String detail) -> throw refused(status, detail);
            case WhatIfResult.Unreachable(String why) -> throw ApiFault.placementAway(why);
        };
    }

    /**
     * Returns placement's candidates for a request; null if the time was up.
     *
     * @param use amounts that count as used in addition to the usage in the fleet
     * @param planned the queries of the request; candidates of the fallback query follow those of the first query
     */
    public @Nullable AllocationCandidates candidates(List<FleetUse> use, HostSearch.Queries planned) {
        FleetQuery.Candidates first = new FleetQuery.Candidates(planned.query());
        if (planned.fallback() == null) {
            return ask(use, List.of(first)).candidates(0);
        }
        FleetResults results = ask(use, List.of(first, new FleetQuery.Candidates(planned.fallback())));
        AllocationCandidates ofFirst = results.candidates(0);
        AllocationCandidates ofFallback = results.candidates(1);
        return ofFirst == null || ofFallback == null ? null : ofFirst.followedBy(ofFallback);
    }

    /**
     * Decides on candidates. If no candidate is suitable and the query's limit was reached, queries all candidates and
     * decides on all of them. Returns null if the time was up.
     *
     * @param use as in the query that returned the candidates
     * @param candidates the candidates; null if the time was up
     * @param decide makes a decision from candidates
     * @param isNoHost whether a decision has no host
     */
    public <T> @Nullable T decide(
            List<FleetUse> use,
            HostSearch.Queries planned,
            @Nullable AllocationCandidates candidates,
            Function<AllocationCandidates, T> decide,
            Predicate<T> isNoHost) {
        T decision = candidates == null ? null : decide.apply(candidates);
        if (candidates == null || decision == null || !isNoHost.test(decision)
                || !isLimitReached(planned, candidates)) {
            return decision;
        }
        HostSearch.Queries unlimited = planned.withoutLimit();
        return decide(use, unlimited, candidates(use, unlimited), decide, isNoHost);
    }

    /** Returns whether there are as many candidates as the query's limit, so that there may be more. */
    private boolean isLimitReached(HostSearch.Queries planned, AllocationCandidates candidates) {
        return planned.query().contains("limit=")
                && candidates.requests().size() >= options.scheduler().maxPlacementResults();
    }

    private static ApiFault unavailable(String detail) {
        return new ApiFault(ErrorCode.PLACEMENT_UNAVAILABLE, detail);
    }

    /** Returns the error for a refusal by placement; a refused change is named by its path in the request's body. */
    private ApiFault refused(int status, String detail) {
        if (status == 503) {
            return unavailable("placement refuses: " + detail);
        }
        ErrorCode code = switch (status) {
            case 404 -> ErrorCode.NOT_FOUND;
            case 413 -> ErrorCode.BODY_TOO_LARGE;
            default -> ErrorCode.REQUEST_INVALID;
        };
        Matcher change = CHANGE.matcher(detail);
        // The reference is not at the beginning of the message: placement's web framework adds a sentence.
        return change.find() && Integer.parseInt(change.group(1)) < origins.size()
                ? new ApiFault(code, CHANGE.matcher(detail.substring(change.start()))
                        .replaceAll(each -> Matcher.quoteReplacement(origin(each))))
                : new ApiFault(code, "placement refused: " + detail);
    }

    /**
     * Returns the path in the request's body of the change that placement reports as invalid. If the path is unknown,
     * returns placement's reference to the change.
     */
    private String origin(MatchResult change) {
        int index = Integer.parseInt(change.group(1));
        String kind = change.group(2) == null ? "" : change.group(2);
        String path = index < origins.size() ? origins.get(index) : "";
        // If the path ends with placement's kind of the change, its members have the same names as in placement.
        boolean hasSameMembers = !kind.isEmpty() && path.endsWith("." + kind);
        String member = change.group(3) == null ? "" : change.group(3);
        return path.isEmpty() ? change.group() : hasSameMembers ? path + member : path;
    }

    /**
     * Returns the hosts that have candidates, as decisions see them, with facts from other services (trust levels).
     */
    public List<HostState> hosts(AllocationCandidates candidates, HostSearch.Queries planned) {
        Map<String, String> namesByUuid = planned.namesByUuid().isEmpty()
                ? names(HostStates.unregisteredRoots(candidates, registry))
                : planned.namesByUuid();
        List<HostState> hosts = HostStates.build(
                candidates, registry, namesByUuid, downTime(), planned.spec().requestedDestination());
        return withFacts(planned.spec(), hosts);
    }

    /**
     * Returns the registered hosts of the cell that a request must not leave, or of all enabled cells if there is no
     * such cell. The hosts are without candidates, and without their usage in placement. If nova's databases are the
     * registry, leaves out hosts without a compute service.
     *
     * @param destination the requested destination, which may have the cell; null: none
     */
    public List<HostState> registeredHosts(@Nullable RequestedDestination destination) {
        return HostStates.registered(registry, downTime(), destination);
    }

    /** Returns whether the provider is that of a registered compute node. */
    public boolean isRegistered(String provider) {
        UUID uuid = Uuids.find(provider);
        return uuid != null && registry.findComputeNode(uuid) != null;
    }

    /**
     * Returns hosts that are not registered, without candidates, and without their usage in placement. Empty if nova's
     * databases are the registry, because only registered hosts exist then.
     *
     * @param roots uuids of the root providers of these hosts
     */
    public List<HostState> unregisteredHosts(Set<String> roots) {
        return HostStates.unregistered(names(roots), registry, downTime()).stream()
                .filter(host -> roots.contains(host.uuid()))
                .toList();
    }

    /** Returns the providers in placement with this name, as names by uuid. Finds hosts that are not registered. */
    public Map<String, String> providersNamed(String name) {
        return named(await(jobs.placement.findProviders(
                "name=" + URLEncoder.encode(name, StandardCharsets.UTF_8), requestId)));
    }

    /** Returns whether a provider exists in the fleet without the changes of this snapshot. */
    public boolean hasProvider(UUID provider) {
        try {
            with(new Scenario(registry)).ask(List.of(new FleetQuery.Trees(List.of(provider.toString()))));
            return true;
        } catch (ApiFault fault) {
            if (fault.error().code() == ErrorCode.NOT_FOUND) {
                return false;
            }
            throw fault;
        }
    }

    /**
     * Returns the amounts that each consumer holds of a provider at the time of the call, by consumer and resource
     * class; empty if the provider does not exist. Leaves out consumers whose id is not a uuid. Throws ApiFault (503)
     * if placement does not respond.
     */
    public Map<UUID, Map<String, Long>> holders(UUID provider) {
        return switch (await(jobs.providers.allocationsOn(provider, requestId))) {
            case ProviderResult.Done(JsonNode body) -> holders(body);
            case ProviderResult.Absent _ -> Map.of();
            case ProviderResult.GenerationConflict(String why) -> throw unavailable("placement refuses: " + why);
            case ProviderResult.Refused(_, String why) -> throw unavailable("placement refuses: " + why);
            case ProviderResult.Unreachable(String why) -> throw ApiFault.placementAway(why);
        };
    }

    private static Map<UUID, Map<String, Long>> holders(JsonNode body) {
        Map<UUID, Map<String, Long>> holders = new LinkedHashMap<>();
        body.path("allocations").properties().forEach(each -> {
            UUID consumer = Uuids.find(each.getKey());
            if (consumer != null) {
                Map<String, Long> amounts = new LinkedHashMap<>();
                each.getValue().path("resources").properties()
                        .forEach(amount -> amounts.put(amount.getKey(), amount.getValue().asLong()));
                holders.put(consumer, amounts);
            }
        });
        return holders;
    }

    /** Returns the hosts with the facts that filters would see, such as the trust level of TrustedFilter. */
    public List<HostState> withFacts(RequestSpec spec, List<HostState> hosts) {
        return await(jobs.facts.add(spec, hosts, filters));
    }

    /** Returns whether the filter reads facts about hosts that another service provides, such as trust levels. */
    public boolean readsFacts(HostFilter filter) {
        return jobs.facts.serves(filter);
    }

    /**
     * Returns the allocations of consumers at the time of the call, by consumer. Throws ApiFault (503) if placement
     * does not respond.
     */
    public Map<UUID, AllocationsResult.Allocations> allocations(Collection<UUID> consumers) {
        return await(Multi.createFrom().iterable(consumers)
                .onItem().transformToUni(consumer -> jobs.placement.getAllocations(consumer, requestId)
                        .map(result -> Map.entry(consumer, held(result))))
                .merge(CONCURRENT_READS)
                .collect().asMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static AllocationsResult.Allocations held(AllocationsResult result) {
        return switch (result) {
            case AllocationsResult.Allocations held -> held;
            case AllocationsResult.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
        };
    }

    private Duration downTime() {
        return Duration.ofSeconds(options.defaults().serviceDownTimeSeconds());
    }

    /** Returns the names of root providers by uuid, both of existing ones and of those that a scenario adds. */
    private Map<String, String> names(Set<String> roots) {
        Set<String> existing = new HashSet<>(roots);
        existing.removeAll(addedRoots.keySet());
        Map<String, String> names =
                new HashMap<>(existing.isEmpty() ? Map.of() : named(await(jobs.names.listWith(existing, requestId))));
        roots.forEach(root -> names.computeIfAbsent(root, addedRoots::get));
        return names;
    }

    private static Map<String, String> named(ProvidersResult result) {
        return switch (result) {
            case ProvidersResult.Listed(Map<String, String> names) -> names;
            case ProvidersResult.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
        };
    }

    /** Waits without a time limit, because every call of the client has a timeout. The call must not emit null. */
    private static <T> T await(Uni<T> result) {
        return result.await().indefinitely();
    }

    private static <T> @Nullable T awaitOrNull(Uni<T> result) {
        return result.await().indefinitely();
    }
}
