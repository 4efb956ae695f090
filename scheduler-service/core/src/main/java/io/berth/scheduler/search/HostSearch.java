package io.berth.scheduler.search;

import io.berth.context.CallerContext;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.heap.DecisionHeap;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.RegisteredAggregate;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostStates;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.CandidatesAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.Moment;
import io.berth.scheduler.placement.http.CandidatesExplanations;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.TranslationOptions;
import io.berth.scheduler.request.query.PlacementQuery;
import io.berth.scheduler.request.query.PlacementRequests;
import io.berth.scheduler.request.query.QueryConstruction;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.text.Derived;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the hosts that placement offers for a request: runs prefilters, looks up named hosts, queries candidates and
 * makes host states.
 * <br>Source: nova {@code scheduler/manager.py} (select_destinations), {@code scheduler/host_manager.py}.
 */
@Singleton
public class HostSearch {
    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final PlacementClient placement;
    private final CandidatesExplanations explanations;
    private final FoundHosts hosts;
    private final NamedHostLookup lookup;
    private final UnknownNames names;
    private final SegmentAggregates segments;
    /** The most hosts in any response of placement without a limit so far; approximate. */
    private volatile int hostsMost;

    HostSearch(
            ConfiguredOptions configured,
            EnabledClasses enabled,
            PlacementClient placement,
            CandidatesExplanations explanations,
            FoundHosts hosts,
            NamedHostLookup lookup,
            UnknownNames names,
            SegmentAggregates segments) {
        this.configured = configured;
        this.enabled = enabled;
        this.placement = placement;
        this.explanations = explanations;
        this.hosts = hosts;
        this.lookup = lookup;
        this.names = names;
        this.segments = segments;
    }

    /** The result of a search. */
    public sealed interface Result {}

    /**
     * The hosts that placement offers.
     *
     * @param spec the request, with an exact destination if one node was found for it
     * @param query the first query to placement
     * @param candidates placement's response
     */
    public record Hosts(RequestSpec spec, List<HostState> hosts, String query, AllocationCandidates candidates)
            implements Result {
        /**
         * Returns whether placement may have more candidates, because it returned as many as the limit. The cost is one
         * pass over the candidates.
         */
        public boolean isCut(int limit) {
            return isLimited(query) && candidates.requests().size() >= limit;
        }
    }

    /**
     * The search ended before any host was considered.
     *
     * @param reason the reason that nova's scheduler gives for this, which the server's owner can read
     */
    public record Refused(ErrorCode code, String detail, String reason) implements Result, Planned, Prepared {
        Refused(ErrorCode code, String detail) {
            this(code, detail, detail);
        }
    }

    /** The queries that placement would get. */
    public sealed interface Planned permits Refused, Queries {}

    /**
     * The queries of a request, before they are sent.
     *
     * @param spec the request, with an exact destination if one node was found for it
     * @param fallback the query whose candidates come after those of the first; null without one
     * @param namesByUuid names of named hosts that are not registered; if not empty, the queries are limited to these
     *     hosts
     */
    public record Queries(RequestSpec spec, String query, @Nullable String fallback, Map<String, String> namesByUuid)
            implements Planned {
        private static final Pattern LIMIT = Pattern.compile("limit=[0-9]+&?");

        /** Returns the queries in the order in which they are sent. */
        public List<String> all() {
            return fallback == null ? List.of(query) : List.of(query, fallback);
        }

        /**
         * Returns the same queries for all candidates, as a decision sends them when the limited ones contain no
         * valid host.
         */
        public Queries withoutLimit() {
            return new Queries(spec, unlimited(query), fallback == null ? null : unlimited(fallback), namesByUuid);
        }

        private static String unlimited(String query) {
            return LIMIT.matcher(query).replaceFirst("");
        }
    }

    /** The state of a search before candidates are queried. */
    sealed interface Prepared permits Refused, Ready {}

    private record Ready(NamedHostLookup.Found named, PlacementRequest asked) implements Prepared {}

    /**
     * Placement offers no candidates.
     *
     * @param query the query as sent to placement
     * @param shortfall which of its demands left nothing; null if placement did not report that
     */
    public record NoCandidates(String query, @Nullable Shortfall shortfall) implements Result {}

    /** Heap memory for the hosts was granted only after a wait, so the registry is outdated. Nothing was queried. */
    public record Waited() implements Result {}

    /** How placement's responses are read. */
    public enum Reading {
        /** Takes placement's responses unchanged. */
        AS_TOLD,
        /** Counts the in-flight claims of other requests; {@link #endTurn} must follow. */
        TO_CLAIM
    }

    /**
     * Finds the hosts for a request.
     *
     * @param share acquired for the hosts that placement offers; the decision ends it
     */
    public Uni<Result> find(
            RequestSpec spec, RegistrySnapshot registry, Reading reading, DecisionHeap.Share share, DecisionTrace trace) {
        return new Search(registry, reading, configured.options(), translation(registry), share, trace).begin(spec);
    }

    /** Returns the first queries that placement would get. Queries placement only for what is needed to build them. */
    public Uni<Planned> plan(RequestSpec spec, RegistrySnapshot registry, Options options, String requestId) {
        return new Search(registry, Reading.AS_TOLD, options, translation(options, registry), null, DecisionTrace.ofQuestion(requestId))
                .plan(spec);
    }

    /** Like {@link #find}, without a limit on candidates. */
    public Uni<Result> findWithoutLimit(
            RequestSpec spec, RegistrySnapshot registry, Reading reading, DecisionHeap.Share share, DecisionTrace trace) {
        return new Search(registry, reading, configured.options(), translation(registry).withoutLimit(), share, trace).begin(spec);
    }

    /**
     * Returns the hosts for a request that stays on its host and claims nothing: the registered hosts, and the one it
     * names, or its instance's, if that is not registered. Queries placement only for the unregistered host.
     */
    public Uni<List<HostState>> findToCheck(
            RequestSpec spec, RegistrySnapshot registry, DecisionHeap.Share share, String requestId) {
        return lookup.findStaying(spec, registry, requestId)
                .chain(found -> room(share, registry::computeNodeCount).chain(() -> Computing.aside(() -> switch (found) {
                    case NamedHostLookup.Found(_, _, Map<String, String> namesByUuid) -> Stream.concat(
                            registered(spec, registry).stream(),
                            HostStates.unregistered(namesByUuid, registry, downTime()).stream())
                            .toList();
                    case NamedHostLookup.NoSuchHost _ -> registered(spec, registry);
                    case NamedHostLookup.Unreachable(String why) ->
                        throw ApiFault.placementAway(why);
                })))
                .emitOn(CallerContext.executor());
    }

    private List<HostState> registered(RequestSpec spec, RegistrySnapshot registry) {
        return HostStates.registered(registry, downTime(), spec.requestedDestination());
    }

    private static Uni<Boolean> room(DecisionHeap.Share share, IntSupplier hosts) {
        return share.take(hosts)
                .onFailure(TimeoutException.class)
                .transform(_ -> new ApiFault(
                        ErrorCode.OVERLOADED, "decisions under way leave no memory for another on so many hosts"));
    }

    private Duration downTime() {
        return Duration.ofSeconds(configured.options().defaults().serviceDownTimeSeconds());
    }

    private TranslationOptions translation(RegistrySnapshot registry) {
        return translation(configured.options(), registry);
    }

    private TranslationOptions translation(Options options, RegistrySnapshot registry) {
        return TranslationOptions.of(
                options,
                configured.requireOwnerNova(registry.source().minComputeVersion()),
                configured.requireTpmModel(),
                configured.requireTpmSecretSecurity());
    }

    /**
     * Returns the reasons why placement does not offer a compute node for the query; empty if it does not report
     * them.
     */
    public Uni<List<String>> obstacles(String query, ComputeNode node, String requestId) {
        return explanations.obstacles(query, node.uuid(), requestId);
    }

    /** See {@link PlacementClient#endTurn}. */
    public boolean endTurn(String requestId) {
        return placement.endTurn(requestId);
    }

    /**
     * Returns the hosts that placement did not offer for a query. Null if it does not report that, or does not
     * respond.
     */
    public Uni<Shortfall> leftOut(String query, RequestSpec spec, RegistrySnapshot registry, String requestId) {
        return explanations.of(query, requestId)
                .map(explained -> explained == null ? null : Shortfall.of(explained, registry, spec));
    }

    private static boolean isLimited(String query) {
        return query.contains("limit=");
    }

    private static Uni<Result> ended(ErrorCode code, String detail) {
        return Uni.createFrom().item(new Refused(code, detail));
    }

    private static Uni<Result> away(String why) {
        return ended(ErrorCode.PLACEMENT_UNAVAILABLE, "placement does not answer: " + why);
    }

    private static <T> Uni<Result> invalidOr(Derived<T> derived, Function<T, Uni<Result>> next) {
        return switch (derived) {
            case Derived.Refused<T>(String why) -> ended(ErrorCode.REQUEST_INVALID, why);
            case Derived.Value<T>(T value) -> next.apply(value);
        };
    }

    /** The search of one request; its steps run one after the other. */
    private final class Search {
        private final RegistrySnapshot registry;
        private final Reading reading;
        private final String requestId;
        private final DecisionTrace trace;
        private final Phases phases;
        private final Options options;
        private final TranslationOptions translation;
        private final @Nullable DecisionHeap.Share share;

        /** @param share null if candidates are not queried */
        Search(
                RegistrySnapshot registry, Reading reading, Options options, TranslationOptions translation,
                @Nullable DecisionHeap.Share share, DecisionTrace trace) {
            this.registry = registry;
            this.reading = reading;
            this.options = options;
            this.translation = translation;
            this.share = share;
            this.trace = trace;
            this.requestId = trace.request().requestId();
            this.phases = trace.phases();
        }

        Uni<Result> begin(RequestSpec spec) {
            return prepare(spec).chain(prepared -> switch (prepared) {
                case Ready(NamedHostLookup.Found named, PlacementRequest asked) -> query(named, asked);
                case Refused refused -> Uni.createFrom().item(refused);
            });
        }

        Uni<Planned> plan(RequestSpec spec) {
            return prepare(spec).map(prepared -> switch (prepared) {
                case Ready(NamedHostLookup.Found named, PlacementRequest asked) -> queries(named, asked);
                case Refused refused -> refused;
            });
        }

        private Planned queries(NamedHostLookup.Found named, PlacementRequest asked) {
            Derived<Planned> planned = QueryConstruction.build(asked, named.hosts(), translation).then(
                    first -> first.pinningRequested() && !translation.disableFallbackPcpuQuery()
                            ? QueryConstruction.buildFallback(asked, named.hosts(), translation).then(
                                    second -> new Derived.Value<>(queries(named, first.queryString(), second.queryString())))
                            : new Derived.Value<>(queries(named, first.queryString(), null)));
            return switch (planned) {
                case Derived.Value<Planned>(Planned value) -> value;
                case Derived.Refused<Planned>(String why) -> new Refused(ErrorCode.REQUEST_INVALID, why);
            };
        }

        private static Planned queries(NamedHostLookup.Found named, String query, @Nullable String fallback) {
            return new Queries(named.spec(), query, fallback, named.namesByUuid());
        }

        private Uni<Prepared> prepare(RequestSpec spec) {
            return switch (PlacementRequests.of(spec, options.filterScheduler().pciInPlacement())) {
                case Derived.Refused<PlacementRequest>(String why) -> refused(ErrorCode.REQUEST_INVALID, why);
                case Derived.Value<PlacementRequest>(PlacementRequest asked) ->
                    translation.queryPlacementForRoutedNetworkAggregates() && !asked.networks().isEmpty()
                            ? routed(spec, asked)
                            : prefilter(spec, asked, Map.of());
            };
        }

        private static Uni<Prepared> refused(ErrorCode code, String detail) {
            return Uni.createFrom().item(new Refused(code, detail));
        }

        private static Uni<Prepared> notPrepared(String why) {
            return refused(ErrorCode.PLACEMENT_UNAVAILABLE, "placement does not answer: " + why);
        }

        private Uni<Prepared> routed(RequestSpec spec, PlacementRequest asked) {
            return phases.during(Phase.LOOKUP, () -> segments.of(asked, requestId)).chain(read -> switch (read) {
                case SegmentAggregates.Read(var bySegment) -> prefilter(spec, asked, bySegment);
                case SegmentAggregates.Unreachable(String why) -> notPrepared(why);
            });
        }

        private Uni<Prepared> prefilter(
                RequestSpec spec, PlacementRequest asked, Map<String, Set<String>> aggregatesBySegment) {
            var inputs = new PrefilterInputs(
                    translation,
                    registry.listAggregates().stream().map(RegisteredAggregate::facts).toList(),
                    aggregatesBySegment);
            trace.begins(registry.number(), registry.asOf());
            return switch (phases.of(
                    Phase.PREFILTER, () -> enabled.prefilters().apply(asked, inputs, trace::prefiltered))) {
                case PrefilterResult.Refused(String why) -> Uni.createFrom().item(
                        new Refused(ErrorCode.NO_VALID_HOST, why, "Scheduling failed: " + why));
                case PrefilterResult.Invalid(String why) -> refused(ErrorCode.REQUEST_INVALID, why);
                case PrefilterResult.Continue(PlacementRequest prefiltered) -> phases
                        .during(Phase.LOOKUP, () -> lookup.find(spec, registry, requestId))
                        .chain(found -> switch (found) {
                            case NamedHostLookup.Found named ->
                                Uni.createFrom().<Prepared>item(new Ready(named, prefiltered));
                            case NamedHostLookup.NoSuchHost no -> Uni.createFrom().item(
                                    new Refused(ErrorCode.NO_VALID_HOST, no.why(), no.reason()));
                            case NamedHostLookup.Unreachable(String why) -> notPrepared(why);
                        });
            };
        }

        private Uni<Result> query(NamedHostLookup.Found named, PlacementRequest asked) {
            return invalidOr(QueryConstruction.build(asked, named.hosts(), translation), first -> room(first.queryString())
                    .chain(waited -> waited ? Uni.createFrom().item(new Waited()) : offered(named, asked, first)));
        }

        private Uni<Result> offered(NamedHostLookup.Found named, PlacementRequest asked, PlacementQuery first) {
            return ask(first.queryString())
                    .chain(answer -> switch (answer) {
                        case CandidatesAnswer.Unreachable _ when mayBeLimited(first.queryString()) -> offered(
                                named, asked, new PlacementQuery(limited(first.queryString()), first.pinningRequested()));
                        case CandidatesAnswer.Unreachable(String why) -> away(why);
                        case CandidatesAnswer.Refused refused -> names.ofRefused(first.queryString(), requestId)
                                .map(unknown -> unknown != null
                                        ? unknown
                                        : new Refused(
                                                ErrorCode.NO_VALID_HOST,
                                                "placement refused the query: " + refused.detail(),
                                                ""));
                        case CandidatesAnswer.Found(AllocationCandidates found) ->
                            first.pinningRequested() && !translation.disableFallbackPcpuQuery()
                                    ? fallback(named, asked, first.queryString(), found)
                                    : withCandidates(named, first.queryString(), null, found);
                    });
        }

        /**
         * Returns whether a failed unlimited query may be repeated with a limit. All candidates may be more than
         * placement can send in time or than fit in memory; a limited number is better than none.
         */
        private boolean mayBeLimited(String query) {
            return !isLimited(query) && translation.maxPlacementResults() != TranslationOptions.NO_LIMIT;
        }

        private String limited(String query) {
            return "limit=" + translation.maxPlacementResults() + "&" + query;
        }

        private Uni<CandidatesAnswer> ask(String query) {
            return phases
                    .during(Phase.CANDIDATES, () -> switch (reading) {
                        case AS_TOLD -> placement.allocationCandidates(query, requestId);
                        case TO_CLAIM -> placement.candidatesToClaim(query, requestId);
                    })
                    .invoke(answer -> {
                        if (answer instanceof CandidatesAnswer.Found(AllocationCandidates found)) {
                            seen(query, found);
                        }
                    });
        }

        private Uni<Boolean> room(String query) {
            return phases.during(Phase.CANDIDATES, () -> HostSearch.room(share, () -> hostsExpected(query)));
        }

        /**
         * Returns the number of hosts to reserve memory for. The first unlimited query reserves all memory, so that it
         * runs alone until its response: placement may have many hosts that are not registered.
         */
        private int hostsExpected(String query) {
            int all = hostsMost == 0 ? Integer.MAX_VALUE : Math.max(registry.computeNodeCount(), hostsMost);
            return isLimited(query) ? Math.min(all, translation.maxPlacementResults()) : all;
        }

        private void seen(String query, AllocationCandidates found) {
            if (!isLimited(query)) {
                hostsMost = Math.max(hostsMost, found.treeCount());
            }
            share.offered(found.treeCount());
            Moment seen = found.moment();
            if (seen != null) {
                trace.sees(seen.replica(), seen.position());
            }
        }

        /** Adds the candidates of hosts without PCPU inventory, which may still pin CPUs, after the others. */
        private Uni<Result> fallback(
                NamedHostLookup.Found named, PlacementRequest asked, String query, AllocationCandidates first) {
            return invalidOr(
                    QueryConstruction.buildFallback(asked, named.hosts(), translation),
                    built -> {
                        String second = isLimited(query) && mayBeLimited(built.queryString())
                                ? limited(built.queryString())
                                : built.queryString();
                        // The share is already acquired, unless the first response was empty: then a wait holds no
                        // memory.
                        return room(second).chain(() -> ask(second)).chain(answer -> switch (answer) {
                            case CandidatesAnswer.Unreachable _ when mayBeLimited(second) ->
                                fallback(named, asked, limited(query), first);
                            case CandidatesAnswer.Unreachable(String why) -> away(why);
                            case CandidatesAnswer.Refused _ -> withCandidates(named, query, null, first);
                            case CandidatesAnswer.Found(AllocationCandidates more) ->
                                withCandidates(named, query, second, first.followedBy(more));
                        });
                    });
        }

        private Uni<NoCandidates> explained(String query, RequestSpec spec) {
            return leftOut(query, spec, registry, requestId).map(shortfall -> new NoCandidates(query, shortfall));
        }

        private static boolean lacksAmount(NoCandidates refused) {
            return refused.shortfall() != null && refused.shortfall().nearest() != null;
        }

        private Uni<Result> withCandidates(
                NamedHostLookup.Found named, String query, @Nullable String fallback, AllocationCandidates candidates) {
            if (candidates.isEmpty()) {
                return explained(query, named.spec())
                        // If no host has the resource class at all, the shortfall of the other query is more useful.
                        .chain(refused -> fallback == null || refused.shortfall() == null || lacksAmount(refused)
                                ? Uni.createFrom().item(refused)
                                : explained(fallback, named.spec()).map(other -> lacksAmount(other) ? other : refused));
            }
            return phases
                    .during(Phase.HOSTS, () -> hosts.of(
                            candidates,
                            registry,
                            named.namesByUuid(),
                            downTime(),
                            named.spec().requestedDestination(),
                            requestId))
                    .chain(found -> switch (found) {
                        case FoundHosts.Unreachable(String why) -> away(why);
                        case FoundHosts.Hosts(HostStates states) ->
                            Uni.createFrom().item(new Hosts(named.spec(), states.states(), query, candidates));
                    });
        }
    }
}
