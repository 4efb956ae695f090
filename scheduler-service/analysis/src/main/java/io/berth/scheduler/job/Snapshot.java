package io.berth.scheduler.job;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
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
 * The basis of one analysis: the registry at one moment, options, and the fleet in placement. Many methods block while
 * they query placement, so that only the analysis worker may use a snapshot. Not thread-safe.
 *
 * <p>Placement keeps the fleet of its first response, and all later responses refer to the same fleet, which
 * {@link #asOf} identifies. If that fleet is lost because its replica stopped, later responses refer to the present
 * fleet, and {@link #hasMoved} is true. Allocations of consumers and names of unregistered hosts are not part of the
 * kept fleet: they are current when read.
 */
public final class Snapshot {
    /** The time that the client waits for a response after placement's deadline. */
    private static final Duration GRACE = Duration.ofSeconds(10);
    /** The number of consumers whose allocations are read concurrently. */
    private static final int CONCURRENT_READS = 16;
    /** Matches the reference to a change in an error of placement: its index, kind and member. */
    private static final Pattern CHANGE =
            Pattern.compile("changes\\[([0-9]{1,6})](?:\\.(\\w+)((?:[.\\[][\\w\\]]+)*))?");

    private final AnalysisJobs with;
    private final Deadline deadline;
    private final String requestId;
    private final RegistrySnapshot registry;
    private final ArrayNode changes;
    /** For each element of {@link #changes} the path in the body that caused it. */
    private final List<String> origins;
    /** The names, by uuid, of roots that the changes add. */
    private final Map<String, String> added;
    private final Options options;
    private final EnabledFilters filters;
    private final EnabledWeighers weighers;
    private final Shared shared;

    /**
     * The state shared by all snapshots of an analysis: the fleet of placement's responses, and results that are read
     * once.
     */
    private static final class Shared {
        /** The deadline of the whole analysis. */
        private final Deadline deadline;
        /** The view that placement keeps for this analysis; null: none yet, or lost. */
        private @Nullable String view;
        /**
         * Allocations of the consumers that reservations of server groups name, by the set of consumers that was read
         * at once.
         */
        private final Map<Set<UUID>, Map<UUID, AllocationsResult.Allocations>> leaving = new HashMap<>();
        /** The replica of placement that sent the first response. */
        private @Nullable String replica;
        /** The version of the fleet of the first response. */
        private @Nullable Long fleetVersion;
        /** True once a later response has referred to another fleet. */
        private boolean moved;

        private Shared(Deadline deadline) {
            this.deadline = deadline;
        }

        private void note(FleetResults answers) {
            view = answers.replica() + "." + answers.fleetVersion();
            if (fleetVersion == null) {
                replica = answers.replica();
                fleetVersion = answers.fleetVersion();
            } else if (fleetVersion != answers.fleetVersion() || !answers.replica().equals(replica)) {
                moved = true;
            }
        }
    }

    Snapshot(
            AnalysisJobs with, RegistrySnapshot registry, Deadline deadline, String requestId, Options options,
            EnabledFilters filters, EnabledWeighers weighers) {
        this(
                with, deadline, requestId, registry, JsonNodeFactory.instance.arrayNode(), List.of(), Map.of(),
                options, filters, weighers, new Shared(deadline));
    }

    private Snapshot(
            AnalysisJobs with, Deadline deadline, String requestId, RegistrySnapshot registry, ArrayNode changes,
            List<String> origins, Map<String, String> added, Options options, EnabledFilters filters,
            EnabledWeighers weighers, Shared shared) {
        this.with = with;
        this.deadline = deadline;
        this.requestId = requestId;
        this.registry = registry;
        this.changes = changes;
        this.origins = origins;
        this.added = added;
        this.options = options;
        this.filters = filters;
        this.weighers = weighers;
        this.shared = shared;
    }

    /** Returns this snapshot with the changes of a scenario instead of its own changes. */
    public Snapshot with(Scenario scenario) {
        return new Snapshot(
                with, deadline, requestId, scenario.registry(), scenario.fleetChanges(),
                scenario.origins(), scenario.names(), options, filters, weighers, shared);
    }

    /** Returns this snapshot with other options. */
    public Snapshot with(Options other, EnabledFilters otherFilters, EnabledWeighers otherWeighers) {
        return new Snapshot(
                with, deadline, requestId, registry, changes, origins, added, other, otherFilters, otherWeighers,
                shared);
    }

    /**
     * Returns this snapshot with another registry and further changes of used amounts.
     *
     * @param later the registry
     * @param use the changes, which are added to the present ones
     */
    public Snapshot after(RegistrySnapshot later, List<FleetUse> use) {
        ArrayNode more = JsonNodeFactory.instance.arrayNode();
        more.addAll(changes);
        use.forEach(each -> more.add(each.change()));
        return new Snapshot(
                with, deadline, requestId, later, more, origins, added, options, filters, weighers, shared);
    }

    /**
     * Returns this snapshot with an earlier deadline, for one part of the analysis.
     *
     * @param parts the number of parts that are left, which share the time that is left
     */
    public Snapshot within(int parts) {
        return within(deadline.left().dividedBy(parts));
    }

    /** Returns this snapshot with this much time from now on, or the time that is left if that is less. */
    public Snapshot within(Duration atMost) {
        Duration left = deadline.left();
        return new Snapshot(
                with, new Deadline(left.compareTo(atMost) < 0 ? left : atMost), requestId, registry, changes, origins,
                added, options, filters, weighers, shared);
    }

    public RegistrySnapshot registry() {
        return registry;
    }

    public Options options() {
        return options;
    }

    public Deadline deadline() {
        return deadline;
    }

    /** Returns the inputs of decisions on this snapshot. Random choices are the same each time. */
    public SchedulingInputs inputs(SchedulingInputs.Detail detail) {
        return new SchedulingInputs(options, filters, weighers, new SplittableRandom(0), detail).ofQuestion();
    }

    /** Returns the warnings about parts of the request that have no effect. */
    public List<String> warnings(RequestSpec spec) {
        return Warnings.of(spec, filters, options);
    }

    public AsOf asOf() {
        return new AsOf(shared.replica, shared.fleetVersion, registry.number(), registry.asOf());
    }

    /** Returns whether placement's responses so far refer to more than one fleet. */
    public boolean hasMoved() {
        return shared.moved;
    }

    /**
     * Derives the request as decisions do, including its server group, and the queries to placement. Throws ApiFault
     * (400) for an invalid request; returns {@link HostSearch.Refused} if there is no valid host before placement is
     * queried.
     */
    public HostSearch.Planned plan(RequestSpec asked, Constraints.Open open) {
        if (asked.schedulerHints().asksForRebuildCheck()) {
            throw ApiFault.invalid("a rebuild keeps its host: placement is not queried for candidates");
        }
        RequestSpec derived = valueOf(Constraints.derive(asked, open, options, () -> UUID.randomUUID().toString()));
        HostSearch.Refused unknown = await(with.unknownNames.find(
                derived, registry, options.defaults().defaultAvailabilityZone(), requestId));
        if (unknown != null) {
            throw new ApiFault(unknown.code(), unknown.detail());
        }
        RegistrySnapshot settled = settled(ServerGroups.find(derived, registry));
        RequestSpec complete = valueOf(Preselection.isForced(derived)
                ? ServerGroups.completeForced(derived, settled, filters, weighers)
                : ServerGroups.complete(derived, settled, filters, weighers));
        HostSearch.Planned planned = await(with.search.plan(complete, registry, options, requestId));
        if (planned instanceof HostSearch.Refused refused && refused.code() != ErrorCode.NO_VALID_HOST) {
            throw new ApiFault(refused.code(), refused.detail());
        }
        return planned;
    }

    /**
     * Returns the registry without those reservations of a server group whose consumer holds nothing on the reserved
     * providers any more. Decisions ignore such reservations too.
     */
    private RegistrySnapshot settled(@Nullable ServerGroup group) {
        Set<UUID> consumers = new HashSet<>();
        if (group != null) {
            group.reservations().stream().filter(reservation -> reservation.consumer() != null)
                    .forEach(reservation -> consumers.add(reservation.consumer()));
        }
        if (consumers.isEmpty()) {
            return registry;
        }
        Map<UUID, AllocationsResult.Allocations> held = shared.leaving.computeIfAbsent(consumers, this::allocations);
        List<ServerGroup.Reservation> taken = group.reservations().stream()
                .filter(reservation -> reservation.consumer() == null || !Collections.disjoint(
                        held.get(reservation.consumer()).allocations().keySet(), reservation.providers()))
                .toList();
        if (taken.size() == group.reservations().size()) {
            return registry;
        }
        ServerGroup now = new ServerGroup(
                group.uuid(), group.name(), group.policy(), group.maxServerPerHost(), group.members(),
                group.isRegistered(), taken);
        return registry.after(
                Map.of(io.berth.scheduler.host.registry.Collection.SERVER_GROUPS, Map.of(group.uuid(), now)),
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
     * Berth's, 400 and 404 as placement returns them, 503 if it does not respond.
     */
    public FleetResults ask(List<FleetQuery> asks) {
        return ask(List.of(), asks);
    }

    /**
     * Returns placement's results on this snapshot's fleet with further changes of used amounts; throws as the method
     * without these.
     *
     * @param use amounts that would be used in addition to the existing ones
     */
    public FleetResults ask(List<FleetUse> use, List<FleetQuery> asks) {
        boolean areMany = asks.stream().anyMatch(ask -> ask instanceof FleetQuery.Candidates all && all.mayBeMany());
        List<String> after = areMany ? with.trees.positions() : List.of();
        FleetResults answers = ask(use, asks, after);
        if (!after.isEmpty()) {
            with.trees.learn(answers.changed());
            if (!answers.resolve(this::find)) {
                // A referenced tree has changed meanwhile: queries again, without references.
                answers = ask(use, asks, List.of());
            }
        }
        return answers;
    }

    private @Nullable AllocationCandidates find(References references) {
        AllocationCandidates found = with.trees.find(references);
        if (found == null) {
            await(with.trees.askForLacking(references, requestId));
            found = with.trees.find(references);
        }
        return found;
    }

    private FleetResults ask(List<FleetUse> use, List<FleetQuery> asks, List<String> after) {
        Duration atMost = deadline.left();
        byte[] body = FleetQuery.render(
                shared.view, shared.deadline.left().plus(GRACE).toSeconds(), changes, use, asks, after,
                Math.max(1, atMost.toSeconds()));
        // Placement itself stops at the deadline and returns an incomplete result, so the client's timeout is longer.
        WhatIfResult answer = await(with.placement.whatIf(body, atMost.plus(GRACE), requestId));
        return switch (answer) {
            case WhatIfResult.Received(byte[] json) -> {
                FleetResults answers = FleetResults.parse(json, asks, !after.isEmpty());
                shared.note(answers);
                yield answers;
            }
            case WhatIfResult.ViewLost _ when shared.view != null -> {
                shared.view = null;
                yield ask(use, asks, after);
            }
            case WhatIfResult.ViewLost _ -> throw ApiFault.placementAway("it does not keep the fleet of an analysis");
            case WhatIfResult.NotKnown _ -> throw new ApiFault(
                    ErrorCode.NEEDS_BERTH_PLACEMENT, "this Placement does not know POST /berth/v1/what_if");
            case WhatIfResult.Refused(int status, String detail) -> throw refused(status, detail);
            case WhatIfResult.Unreachable(String why) -> throw ApiFault.placementAway(why);
        };
    }

    /**
     * Returns placement's candidates for a request; null if the time was up.
     *
     * @param use amounts that would be used in addition to the existing ones
     */
    public @Nullable AllocationCandidates candidates(List<FleetUse> use, HostSearch.Queries planned) {
        FleetQuery.Candidates first = new FleetQuery.Candidates(planned.query());
        if (planned.fallback() == null) {
            return ask(use, List.of(first)).candidates(0);
        }
        FleetResults both = ask(use, List.of(first, new FleetQuery.Candidates(planned.fallback())));
        AllocationCandidates some = both.candidates(0);
        AllocationCandidates more = both.candidates(1);
        return some == null || more == null ? null : some.followedBy(more);
    }

    /**
     * Decides on the offered candidates. If none of them is suitable and the query's limit was reached, queries all
     * candidates and decides on those. Returns null if the time was up.
     *
     * @param use as in the query that returned {@code offered}
     * @param offered the candidates; null if the time was up
     * @param isNoHost whether a decision has no host
     */
    public <T> @Nullable T decide(
            List<FleetUse> use,
            HostSearch.Queries planned,
            @Nullable AllocationCandidates offered,
            Function<AllocationCandidates, T> decide,
            Predicate<T> isNoHost) {
        T decided = offered == null ? null : decide.apply(offered);
        if (decided == null || !isNoHost.test(decided) || !isCut(planned, offered)) {
            return decided;
        }
        HostSearch.Queries all = planned.withoutLimit();
        return decide(use, all, candidates(use, all), decide, isNoHost);
    }

    /** Returns whether the candidates reach the limit of the query, so that there may be more. */
    private boolean isCut(HostSearch.Queries planned, AllocationCandidates candidates) {
        return planned.query().contains("limit=")
                && candidates.requests().size() >= options.scheduler().maxPlacementResults();
    }

    private ApiFault refused(int status, String detail) {
        if (status == 503) {
            return ApiFault.placementAway(detail);
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

    /** Returns the path in the body of the change that placement reports as invalid. */
    private String origin(MatchResult change) {
        int index = Integer.parseInt(change.group(1));
        String kind = change.group(2) == null ? "" : change.group(2);
        String path = index < origins.size() ? origins.get(index) : "";
        // Below a path that ends with placement's kind of change, member names are the same as in placement.
        boolean alike = !kind.isEmpty() && path.endsWith("." + kind);
        String rest = change.group(3) == null ? "" : change.group(3);
        return path.isEmpty() ? change.group() : alike ? path + rest : path;
    }

    /** Returns the hosts of a response as decisions see them, including trust levels. */
    public List<HostState> hosts(AllocationCandidates candidates, HostSearch.Queries planned) {
        Map<String, String> namesByUuid = planned.namesByUuid().isEmpty()
                ? names(HostStates.unregisteredRoots(candidates, registry))
                : planned.namesByUuid();
        List<HostState> hosts = HostStates.build(
                candidates, registry, namesByUuid, downTime(), planned.spec().requestedDestination());
        return withFacts(planned.spec(), hosts);
    }

    /** Returns all registered hosts, without candidates, and without their usage in placement. */
    public List<HostState> registeredHosts(@Nullable RequestedDestination destination) {
        return HostStates.registered(registry, downTime(), destination);
    }

    public boolean isRegistered(String provider) {
        UUID uuid = Uuids.find(provider);
        return uuid != null && registry.findComputeNode(uuid) != null;
    }

    /**
     * Returns hosts that are not registered, otherwise like {@link #registeredHosts}.
     *
     * @param roots uuids of their root providers
     */
    public List<HostState> unregisteredHosts(Set<String> roots) {
        return HostStates.unregistered(names(roots), registry, downTime()).stream()
                .filter(host -> roots.contains(host.uuid()))
                .toList();
    }

    /** Returns the names of the root providers of that name, by uuid, for hosts that are not registered. */
    public Map<String, String> providersNamed(String name) {
        return named(await(with.placement.findProviders(
                "name=" + URLEncoder.encode(name, StandardCharsets.UTF_8), requestId)));
    }

    /** Returns whether the fleet, without changes, has a provider of that uuid. */
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
     * Returns the amounts that each consumer holds of a provider now, by resource class; empty if the provider does not
     * exist.
     */
    public Map<UUID, Map<String, Long>> holders(UUID provider) {
        return switch (await(with.providers.holders(provider, requestId))) {
            case ProviderResult.Done(JsonNode body) -> holders(body);
            case ProviderResult.Absent _ -> Map.of();
            case ProviderResult.Moved(String why) -> throw ApiFault.placementAway(why);
            case ProviderResult.Refused(_, String why) -> throw ApiFault.placementAway(why);
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
        return await(with.facts.add(spec, hosts, filters));
    }

    /** Returns whether the filter reads facts about hosts that another service provides, such as trust levels. */
    public boolean readsFacts(HostFilter filter) {
        return with.facts.serves(filter);
    }

    /**
     * Returns the present allocations of consumers, by consumer. Throws ApiFault (503) if placement does not respond.
     */
    public Map<UUID, AllocationsResult.Allocations> allocations(Collection<UUID> consumers) {
        return await(Multi.createFrom().iterable(consumers)
                .onItem().transformToUni(consumer -> with.placement.getAllocations(consumer, requestId)
                        .map(answer -> Map.entry(consumer, held(answer))))
                .merge(CONCURRENT_READS)
                .collect().asMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static AllocationsResult.Allocations held(AllocationsResult answer) {
        return switch (answer) {
            case AllocationsResult.Allocations held -> held;
            case AllocationsResult.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
        };
    }

    private Duration downTime() {
        return Duration.ofSeconds(options.defaults().serviceDownTimeSeconds());
    }

    private Map<String, String> names(Set<String> roots) {
        Set<String> real = new HashSet<>(roots);
        real.removeAll(added.keySet());
        Map<String, String> names =
                new HashMap<>(real.isEmpty() ? Map.of() : named(await(with.names.of(real, requestId))));
        roots.forEach(root -> names.computeIfAbsent(root, added::get));
        return names;
    }

    private static Map<String, String> named(ProvidersResult answer) {
        return switch (answer) {
            case ProvidersResult.Listed(Map<String, String> names) -> names;
            case ProvidersResult.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
        };
    }

    /** Waits without a time limit, because every call of the client has a timeout. */
    private static <T> @Nullable T await(Uni<T> answer) {
        return answer.await().indefinitely();
    }
}
