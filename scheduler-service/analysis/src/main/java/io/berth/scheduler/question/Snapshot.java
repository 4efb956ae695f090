package io.berth.scheduler.question;

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
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.ProviderAnswer;
import io.berth.scheduler.placement.ProvidersAnswer;
import io.berth.scheduler.placement.WhatIfAnswer;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.feed.References;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.RequestedDestination;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.selection.ServerGroups;
import io.berth.scheduler.spi.HostFilter;
import io.berth.scheduler.text.Derived;
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
 * What one question stands on: the registry at one moment, options, and the fleet that placement is asked about. Its
 * methods wait for placement: for the question's worker alone. Not for several threads.
 *
 * <p>Placement keeps the fleet of the first answer, and all later ones are about the same: {@link #asOf} tells which. Where
 * that fleet is lost, as its replica stopped, later answers are about the present one, and {@link #hasMoved}. What consumers
 * hold, and the names of hosts that nobody registered, are not of the kept fleet but as they are when they are read.
 */
public final class Snapshot {
    /** For an answer on its way. */
    private static final Duration GRACE = Duration.ofSeconds(10);
    /** Consumers that are asked about at a time. */
    private static final int TOGETHER = 16;
    /** One of those that placement was told, what it is, and what of it. */
    private static final Pattern CHANGE = Pattern.compile("changes\\[([0-9]{1,6})](?:\\.(\\w+)((?:[.\\[][\\w\\]]+)*))?");

    private final Questions with;
    private final Deadline deadline;
    private final String requestId;
    private final RegistrySnapshot registry;
    private final ArrayNode changes;
    /** Of each of them where it was asked for. */
    private final List<String> origins;
    /** Of roots that the changes add, by uuid. */
    private final Map<String, String> added;
    private final Options options;
    private final EnabledFilters filters;
    private final EnabledWeighers weighers;
    private final Said said;

    /** What placement's answers were about, over all that are asked from one snapshot; and what is asked but once. */
    private static final class Said {
        /** Of the whole question. */
        private final Deadline deadline;
        /** That placement keeps for this question; null: none yet, or not any more. */
        private @Nullable String view;
        /** By the consumers that were asked about together, those that members of a group leave behind. */
        private final Map<Set<UUID>, Map<UUID, AllocationsAnswer.Held>> leaving = new HashMap<>();
        private @Nullable String replica;
        private @Nullable Long fleetVersion;
        private boolean moved;

        private Said(Deadline deadline) {
            this.deadline = deadline;
        }

        private void answered(FleetAnswers told) {
            view = told.replica() + "." + told.fleetVersion();
            if (fleetVersion == null) {
                replica = told.replica();
                fleetVersion = told.fleetVersion();
            } else if (fleetVersion != told.fleetVersion() || !told.replica().equals(replica)) {
                moved = true;
            }
        }
    }

    Snapshot(
            Questions with, RegistrySnapshot registry, Deadline deadline, String requestId, Options options,
            EnabledFilters filters, EnabledWeighers weighers) {
        this(
                with, deadline, requestId, registry, JsonNodeFactory.instance.arrayNode(), List.of(), Map.of(),
                options, filters, weighers, new Said(deadline));
    }

    private Snapshot(
            Questions with, Deadline deadline, String requestId, RegistrySnapshot registry, ArrayNode changes,
            List<String> origins, Map<String, String> added, Options options, EnabledFilters filters,
            EnabledWeighers weighers, Said said) {
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
        this.said = said;
    }

    /** The same cloud with changes, instead of those that this one may have. */
    public Snapshot with(Hypothesis hypothesis) {
        return new Snapshot(
                with, deadline, requestId, hypothesis.registry(), hypothesis.fleetChanges(),
                hypothesis.origins(), hypothesis.names(), options, filters, weighers, said);
    }

    /** The same cloud under other options. */
    public Snapshot with(Options other, EnabledFilters otherFilters, EnabledWeighers otherWeighers) {
        return new Snapshot(
                with, deadline, requestId, registry, changes, origins, added, other, otherFilters, otherWeighers, said);
    }

    /**
     * The same cloud, its changes with it, later.
     *
     * @param use what is held beside, negative where less is
     */
    public Snapshot after(RegistrySnapshot later, List<FleetUse> use) {
        ArrayNode more = JsonNodeFactory.instance.arrayNode();
        more.addAll(changes);
        use.forEach(each -> more.add(each.change()));
        return new Snapshot(
                with, deadline, requestId, later, more, origins, added, options, filters, weighers, said);
    }

    /** The same for one of so many parts of the question, which share the time that is left. */
    public Snapshot within(int parts) {
        return within(deadline.left().dividedBy(parts));
    }

    /** The same with so much time from now on, or what is left where that is less. */
    public Snapshot within(Duration atMost) {
        Duration left = deadline.left();
        return new Snapshot(
                with, new Deadline(left.compareTo(atMost) < 0 ? left : atMost), requestId, registry, changes, origins, added,
                options, filters, weighers, said);
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

    /** What decisions are made with here. */
    public SchedulingInputs inputs(SchedulingInputs.Detail detail) {
        return new SchedulingInputs(options, filters, weighers, new SplittableRandom(0), detail).ofQuestion();
    }

    /** What the request says without effect. */
    public List<String> warnings(RequestSpec spec) {
        return Warnings.of(spec, filters, options);
    }

    public AsOf asOf() {
        return new AsOf(said.replica, said.fleetVersion, registry.number(), registry.asOf());
    }

    /** Returns whether placement's answers so far are about more than one fleet. */
    public boolean hasMoved() {
        return said.moved;
    }

    /**
     * The request as decisions derive it, its server group with it, and what placement would be asked. ApiFault (400) for
     * what decisions refuse as wrong; {@link HostSearch.Refused} for what comes to no valid host before placement is asked.
     */
    public HostSearch.Planned plan(RequestSpec asked, Constraints.Open open) {
        if (asked.schedulerHints().asksForRebuildCheck()) {
            throw ApiFault.invalid("a rebuild stays where it is: placement is asked for no candidates");
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

    /** Of the group no seat is taken on a host that its member has left for good: decisions look after that first, too. */
    private RegistrySnapshot settled(@Nullable ServerGroup group) {
        Set<UUID> consumers = new HashSet<>();
        if (group != null) {
            group.seats().stream().filter(seat -> seat.consumer() != null).forEach(seat -> consumers.add(seat.consumer()));
        }
        if (consumers.isEmpty()) {
            return registry;
        }
        Map<UUID, AllocationsAnswer.Held> held = said.leaving.computeIfAbsent(consumers, this::allocations);
        List<ServerGroup.Seat> taken = group.seats().stream()
                .filter(seat -> seat.consumer() == null || !Collections.disjoint(
                        held.get(seat.consumer()).allocations().keySet(), seat.providers()))
                .toList();
        if (taken.size() == group.seats().size()) {
            return registry;
        }
        ServerGroup now = new ServerGroup(
                group.uuid(), group.name(), group.policy(), group.maxServerPerHost(), group.members(), group.isRegistered(),
                taken);
        return registry.after(
                Map.of(io.berth.scheduler.host.registry.Collection.SERVER_GROUPS, Map.of(group.uuid(), now)), registry.asOf());
    }

    private static <T> T valueOf(Derived<T> derived) {
        return switch (derived) {
            case Derived.Value<T>(T value) -> value;
            case Derived.Refused<T>(String why) -> throw ApiFault.invalid(why);
        };
    }

    /**
     * Placement's answers, one for each, on this snapshot's fleet. ApiFault: 501 where placement is another than Berth's,
     * 400 and 404 as it says, 503 where it does not answer.
     */
    public FleetAnswers ask(List<FleetAsk> asks) {
        return ask(List.of(), asks);
    }

    /** @param use what instances would hold beside those that are there */
    public FleetAnswers ask(List<FleetUse> use, List<FleetAsk> asks) {
        boolean areMany = asks.stream().anyMatch(ask -> ask instanceof FleetAsk.Candidates all && all.mayBeMany());
        List<String> after = areMany ? with.trees.positions() : List.of();
        FleetAnswers told = tell(use, asks, after);
        if (!after.isEmpty()) {
            with.trees.learn(told.changed());
            if (!told.resolve(this::find)) {
                // Some trees are in another state by now.
                told = tell(use, asks, List.of());
            }
        }
        return told;
    }

    private @Nullable AllocationCandidates find(References references) {
        AllocationCandidates found = with.trees.find(references);
        if (found == null) {
            await(with.trees.askForLacking(references, requestId));
            found = with.trees.find(references);
        }
        return found;
    }

    private FleetAnswers tell(List<FleetUse> use, List<FleetAsk> asks, List<String> after) {
        Duration atMost = deadline.left();
        byte[] body = FleetAsk.render(
                said.view, said.deadline.left().plus(GRACE).toSeconds(), changes, use, asks, after,
                Math.max(1, atMost.toSeconds()));
        // Placement gives up at the deadline by itself, and tells what it has: it may take a while to tell.
        WhatIfAnswer answer = await(with.placement.whatIf(body, atMost.plus(GRACE), requestId));
        return switch (answer) {
            case WhatIfAnswer.Told(byte[] json) -> {
                FleetAnswers told = FleetAnswers.parse(json, asks, !after.isEmpty());
                said.answered(told);
                yield told;
            }
            case WhatIfAnswer.ViewLost _ when said.view != null -> {
                said.view = null;
                yield tell(use, asks, after);
            }
            case WhatIfAnswer.ViewLost _ -> throw ApiFault.placementAway("it keeps no view for a question");
            case WhatIfAnswer.NotKnown _ -> throw new ApiFault(
                    ErrorCode.NEEDS_BERTH_PLACEMENT, "this Placement does not know POST /berth/v1/what_if");
            case WhatIfAnswer.Refused(int status, String detail) -> throw refused(status, detail);
            case WhatIfAnswer.Unreachable(String why) -> throw ApiFault.placementAway(why);
        };
    }

    /**
     * What placement offers for a request; null where the time was up.
     *
     * @param use what instances would hold beside those that are there
     */
    public @Nullable AllocationCandidates candidates(List<FleetUse> use, HostSearch.Queries planned) {
        FleetAsk.Candidates first = new FleetAsk.Candidates(planned.query());
        if (planned.fallback() == null) {
            return ask(use, List.of(first)).candidates(0);
        }
        FleetAnswers both = ask(use, List.of(first, new FleetAsk.Candidates(planned.fallback())));
        AllocationCandidates some = both.candidates(0);
        AllocationCandidates more = both.candidates(1);
        return some == null || more == null ? null : some.followedBy(more);
    }

    /**
     * What is decided on these candidates; where that is no host, on all that there are. That none of the first so many
     * would do says nothing of the others. Null where the time was up.
     *
     * @param use as placement was asked with
     * @param offered null where the time was up
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

    /** Returns whether these are the most that placement was asked for, so that there may be others. */
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
        // Placement's framework puts a sentence before it.
        return change.find() && Integer.parseInt(change.group(1)) < origins.size()
                ? new ApiFault(code, CHANGE.matcher(detail.substring(change.start())).replaceAll(each -> Matcher.quoteReplacement(origin(each))))
                : new ApiFault(code, "placement refused: " + detail);
    }

    /** Where the question asks for the change that placement complains about. */
    private String origin(MatchResult change) {
        int index = Integer.parseInt(change.group(1));
        String kind = change.group(2) == null ? "" : change.group(2);
        String path = index < origins.size() ? origins.get(index) : "";
        // What is said there in the same words.
        boolean alike = !kind.isEmpty() && path.endsWith("." + kind);
        String rest = change.group(3) == null ? "" : change.group(3);
        return path.isEmpty() ? change.group() : alike ? path + rest : path;
    }

    /** The hosts of an answer as decisions see them, trust levels with them. */
    public List<HostState> hosts(AllocationCandidates candidates, HostSearch.Queries planned) {
        Map<String, String> namesByUuid = planned.namesByUuid().isEmpty()
                ? names(HostStates.unregisteredRoots(candidates, registry))
                : planned.namesByUuid();
        List<HostState> hosts = HostStates.build(
                candidates, registry, namesByUuid, downTime(), planned.spec().requestedDestination());
        return withFacts(planned.spec(), hosts);
    }

    /** All registered hosts, without candidates, and without what placement says of their use. */
    public List<HostState> registeredHosts(@Nullable RequestedDestination destination) {
        return HostStates.registered(registry, downTime(), destination);
    }

    public boolean isRegistered(String provider) {
        UUID uuid = Uuids.find(provider);
        return uuid != null && registry.findComputeNode(uuid) != null;
    }

    /** The same of root providers that nobody registered. */
    public List<HostState> unregisteredHosts(Set<String> roots) {
        return HostStates.unregistered(names(roots), registry, downTime()).stream()
                .filter(host -> roots.contains(host.uuid()))
                .toList();
    }

    /** Names of the root providers of that name, by uuid: for hosts that nobody registered. */
    public Map<String, String> providersNamed(String name) {
        return named(await(with.placement.findProviders(
                "name=" + URLEncoder.encode(name, StandardCharsets.UTF_8), requestId)));
    }

    /** Returns whether the fleet, without changes, has a provider of that uuid. */
    public boolean hasProvider(UUID provider) {
        try {
            with(new Hypothesis(registry)).ask(List.of(new FleetAsk.Trees(List.of(provider.toString()))));
            return true;
        } catch (ApiFault fault) {
            if (fault.error().code() == ErrorCode.NOT_FOUND) {
                return false;
            }
            throw fault;
        }
    }

    /** What each consumer holds of a provider now, by resource class; nobody anything where there is no such provider. */
    public Map<UUID, Map<String, Long>> holders(UUID provider) {
        return switch (await(with.providers.holders(provider, requestId))) {
            case ProviderAnswer.Done(JsonNode body) -> holders(body);
            case ProviderAnswer.Absent _ -> Map.of();
            case ProviderAnswer.Moved(String why) -> throw ApiFault.placementAway(why);
            case ProviderAnswer.Refused(_, String why) -> throw ApiFault.placementAway(why);
            case ProviderAnswer.Unreachable(String why) -> throw ApiFault.placementAway(why);
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

    /** Returns whether the filter reads facts that another service states of hosts. */
    public boolean readsFacts(HostFilter filter) {
        return with.facts.serve(filter);
    }

    /** What consumers hold now, by consumer. ApiFault (503) where placement does not answer. */
    public Map<UUID, AllocationsAnswer.Held> allocations(Collection<UUID> consumers) {
        return await(Multi.createFrom().iterable(consumers)
                .onItem().transformToUni(consumer -> with.placement.getAllocations(consumer, requestId)
                        .map(answer -> Map.entry(consumer, held(answer))))
                .merge(TOGETHER)
                .collect().asMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    private static AllocationsAnswer.Held held(AllocationsAnswer answer) {
        return switch (answer) {
            case AllocationsAnswer.Held held -> held;
            case AllocationsAnswer.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
        };
    }

    private Duration downTime() {
        return Duration.ofSeconds(options.defaults().serviceDownTimeSeconds());
    }

    private Map<String, String> names(Set<String> roots) {
        Set<String> real = new HashSet<>(roots);
        real.removeAll(added.keySet());
        Map<String, String> names = new HashMap<>(real.isEmpty() ? Map.of() : named(await(with.names.of(real, requestId))));
        roots.forEach(root -> names.computeIfAbsent(root, added::get));
        return names;
    }

    private static Map<String, String> named(ProvidersAnswer answer) {
        return switch (answer) {
            case ProvidersAnswer.Listed(Map<String, String> names) -> names;
            case ProvidersAnswer.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
        };
    }

    /** Every call of the client is bounded in time. */
    private static <T> @Nullable T await(Uni<T> answer) {
        return answer.await().indefinitely();
    }
}
