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
import io.berth.scheduler.placement.CandidatesResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.candidate.AllocationCandidates;
import io.berth.scheduler.placement.candidate.FleetPosition;
import io.berth.scheduler.placement.http.CandidatesExplanations;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.demand.PlacementRequest;
import io.berth.scheduler.request.demand.TranslationOptions;
import io.berth.scheduler.request.query.PlacementQuery;
import io.berth.scheduler.request.query.PlacementRequests;
import io.berth.scheduler.request.query.QueryConstruction;
import io.berth.scheduler.spi.PrefilterInputs;
import io.berth.scheduler.spi.PrefilterResult;
import io.berth.scheduler.text.DerivedValue;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.TimeoutException;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the hosts that placement offers for a request: applies prefilters, looks up the hosts that the request names,
 * queries candidates and creates host states.
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
    /**
     * The largest number of trees in a response to a query without a limit so far; 0 before the first such response.
     * Written without synchronization, so it may be too low.
     */
    private volatile int treesSeenMax;

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
     * @param spec the request. If it names a destination that only one node matches, its destination is this node
     * @param query the first query, as sent to placement; a fallback query is not included. If a query without a limit
     *     had no response and was repeated with a limit, this query has the limit, too
     * @param candidates placement's response, including that to a fallback query
     */
    public record Hosts(RequestSpec spec, List<HostState> hosts, String query, AllocationCandidates candidates)
            implements Result {
        /** Returns the same result with other host states, to which further sources have added their facts. */
        public Hosts with(List<HostState> attested) {
            return new Hosts(spec, attested, query, candidates);
        }

        /**
         * Returns whether placement may have more candidates, because the query was limited and there are at least as
         * many candidates as the limit. Makes one pass over the candidates.
         *
         * @param limit maximum candidates of a limited query
         */
        public boolean mayBeIncomplete(int limit) {
            return isLimited(query) && candidates.requests().size() >= limit;
        }
    }

    /**
     * The search ended before any host was considered.
     *
     * @param reason the reason in nova's words, which the owner of the server can read; empty if nova gives none
     */
    public record Refused(ErrorCode code, String detail, String reason) implements Result, Planned, Prepared {
        Refused(ErrorCode code, String detail) {
            this(code, detail, detail);
        }
    }

    /** The result of {@link #plan}: the queries that placement would get, or a refusal. */
    public sealed interface Planned permits Refused, Queries {}

    /**
     * The queries that a search would send.
     *
     * @param spec the request. If it names a destination that only one node matches, its destination is this node
     * @param fallback the second query, whose candidates come after those of the first query; null without one
     * @param namesByUuid uuid to name of unregistered hosts that the request names; if not empty, the queries are
     *     restricted to hosts that the request names
     */
    public record Queries(RequestSpec spec, String query, @Nullable String fallback, Map<String, String> namesByUuid)
            implements Planned {
        private static final Pattern LIMIT = Pattern.compile("limit=[0-9]+&?");

        /** Returns the queries in the order in which they are sent. */
        public List<String> all() {
            return fallback == null ? List.of(query) : List.of(query, fallback);
        }

        /**
         * Returns the same queries without a limit. A decision sends the unlimited queries if it finds no valid host
         * among limited candidates.
         */
        public Queries withoutLimit() {
            return new Queries(spec, unlimited(query), fallback == null ? null : unlimited(fallback), namesByUuid);
        }

        private static String unlimited(String query) {
            return LIMIT.matcher(query).replaceFirst("");
        }
    }

    /** The result of the steps before the query of candidates: the prefiltered request, or a refusal. */
    sealed interface Prepared permits Refused, Ready {}

    private record Ready(NamedHostLookup.Found namedHosts, PlacementRequest request) implements Prepared {}

    /**
     * Placement offers no candidates.
     *
     * @param query the query that {@code shortfall} explains: the first query, or the fallback query if its shortfall
     *     is more useful
     * @param shortfall the demands that no tree meets; null if placement did not report them
     */
    public record NoCandidates(String query, @Nullable Shortfall shortfall) implements Result {}

    /**
     * The search waited until {@link DecisionHeap} had heap for the hosts. The registry may have become outdated during
     * the wait, so no candidates were queried; the caller must begin again with the current registry.
     */
    public record WaitedForHeap() implements Result {}

    /** How placement's responses are used. */
    public enum Reading {
        /** The response of placement is used unchanged. */
        AS_RECEIVED,
        /**
         * In-flight claims of other requests of this replica are subtracted, as {@link
         * PlacementClient#candidatesToClaim} describes. The caller must call {@link #endTurn} at the end of the
         * request.
         */
        TO_CLAIM
    }

    /**
     * Finds the hosts for a request. Fails with ApiFault (503) if the heap cannot be acquired in time.
     *
     * @param isLimited whether to query at most {@code max_placement_results} candidates. Even then, all candidates are
     *     queried if the request names several hosts, or other instances or a server group in a scheduler hint; if this
     *     query has no response, it is repeated with the limit
     * @param share the decision's share of the heap, in which heap for the hosts is acquired; the caller ends the share
     *     after the decision
     */
    public Uni<Result> find(
            RequestSpec spec, RegistrySnapshot registry, Reading reading, boolean isLimited, DecisionHeap.Share share,
            DecisionTrace trace) {
        TranslationOptions translation = translation(configured.options(), registry);
        return new Search(
                registry, reading, configured.options(), isLimited ? translation : translation.withoutLimit(), share,
                trace)
                .begin(spec);
    }

    /**
     * Returns the queries for candidates that a decision would send first, without sending them. Queries placement only
     * for what these queries contain: the providers of named hosts that are not registered, and the aggregates of
     * network segments.
     */
    public Uni<Planned> plan(RequestSpec spec, RegistrySnapshot registry, Options options, String requestId) {
        return new Search(registry, Reading.AS_RECEIVED, options, translation(options, registry), null,
                DecisionTrace.forAnalysis(requestId))
                .plan(spec);
    }

    /**
     * Returns the hosts for the check whether a rebuilt instance may stay on its host, which claims nothing: the
     * registered hosts that the request may use, and the host of the instance if it is not registered. The latter is
     * the host that the request names, or else the host that the instance's registration names; it is omitted if the
     * registry lists all hosts. Queries placement only for an unregistered host. Fails with ApiFault (503) if placement
     * does not respond, or if the heap cannot be acquired in time.
     */
    public Uni<List<HostState>> findToCheck(
            RequestSpec spec, RegistrySnapshot registry, DecisionHeap.Share share, String requestId) {
        return lookup.findStaying(spec, registry, requestId)
                .chain(found -> HostSearch.acquireHeap(share, registry::computeNodeCount)
                        .chain(() -> DecisionWorkers.onWorker(() -> switch (found) {
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

    /**
     * Acquires heap for a number of hosts. Emits whether it had to wait. Fails with ApiFault (503) after the time limit
     * of {@link DecisionHeap}.
     */
    private static Uni<Boolean> acquireHeap(DecisionHeap.Share share, IntSupplier hosts) {
        return share.acquire(hosts)
                .onFailure(TimeoutException.class)
                .transform(_ -> new ApiFault(
                        ErrorCode.OVERLOADED,
                        "concurrent decisions use the memory for a decision on so many hosts; retry later"));
    }

    private Duration downTime() {
        return Duration.ofSeconds(configured.options().defaults().serviceDownTimeSeconds());
    }

    private TranslationOptions translation(Options options, RegistrySnapshot registry) {
        return TranslationOptions.of(
                options,
                configured.requireOwnerNova(registry.source().minComputeVersion()),
                configured.requireTpmModel(),
                configured.requireTpmSecretSecurity());
    }

    /**
     * Returns sentences on the obstacles that keep placement from offering a compute node for a query; empty if
     * placement does not report them. Never fails.
     */
    public Uni<List<String>> obstacles(String query, ComputeNode node, String requestId) {
        return explanations.obstacles(query, node.uuid(), requestId);
    }

    /**
     * Ends a request's use of its candidates. Returns whether in-flight claims of other requests, which may still fail,
     * were subtracted from them; see {@link PlacementClient#endTurn}.
     */
    public boolean endTurn(String requestId) {
        return placement.endTurn(requestId);
    }

    /**
     * Returns the demands of a query that the trees in placement do not meet, and the hosts that lack least. Null if
     * placement does not respond or cannot explain queries.
     */
    public Uni<Shortfall> findShortfall(String query, RequestSpec spec, RegistrySnapshot registry, String requestId) {
        return explanations.of(query, requestId)
                .map(explained -> explained == null ? null : Shortfall.of(explained, registry, spec));
    }

    private static boolean isLimited(String query) {
        return query.contains("limit=");
    }

    private static Uni<Result> end(ErrorCode code, String detail) {
        return Uni.createFrom().item(new Refused(code, detail));
    }

    private static Uni<Result> placementUnavailable(String why) {
        return end(ErrorCode.PLACEMENT_UNAVAILABLE, "placement is unavailable: " + why);
    }

    private static <T> Uni<Result> invalidOr(DerivedValue<T> derived, Function<T, Uni<Result>> next) {
        return switch (derived) {
            case DerivedValue.Refused<T>(String why) -> end(ErrorCode.REQUEST_INVALID, why);
            case DerivedValue.Value<T>(T value) -> next.apply(value);
        };
    }

    /**
     * The search for one request. Its steps run strictly one after the other: {@link #prepare} applies prefilters and
     * looks up named hosts; {@link #acquireAndQuery} waits for heap and queries candidates, with a second query in
     * {@link #fallback} if CPUs are to be pinned; {@link #withCandidates} creates the host states.
     */
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
                case Ready(NamedHostLookup.Found namedHosts, PlacementRequest request) ->
                    acquireAndQuery(namedHosts, request);
                case Refused refused -> Uni.createFrom().item(refused);
            });
        }

        Uni<Planned> plan(RequestSpec spec) {
            return prepare(spec).map(prepared -> switch (prepared) {
                case Ready(NamedHostLookup.Found namedHosts, PlacementRequest request) -> queries(namedHosts, request);
                case Refused refused -> refused;
            });
        }

        private Planned queries(NamedHostLookup.Found namedHosts, PlacementRequest request) {
            DerivedValue<Planned> planned = QueryConstruction.build(request, namedHosts.hosts(), translation).then(
                    first -> first.pinningRequested() && !translation.disableFallbackPcpuQuery()
                            ? QueryConstruction.buildFallback(request, namedHosts.hosts(), translation).then(
                                    second -> new DerivedValue.Value<>(
                                            queries(namedHosts, first.queryString(), second.queryString())))
                            : new DerivedValue.Value<>(queries(namedHosts, first.queryString(), null)));
            return switch (planned) {
                case DerivedValue.Value<Planned>(Planned value) -> value;
                case DerivedValue.Refused<Planned>(String why) -> new Refused(ErrorCode.REQUEST_INVALID, why);
            };
        }

        private static Planned queries(NamedHostLookup.Found namedHosts, String query, @Nullable String fallback) {
            return new Queries(namedHosts.spec(), query, fallback, namedHosts.namesByUuid());
        }

        private Uni<Prepared> prepare(RequestSpec spec) {
            return switch (PlacementRequests.of(spec, options.filterScheduler().pciInPlacement())) {
                case DerivedValue.Refused<PlacementRequest>(String why) -> refused(ErrorCode.REQUEST_INVALID, why);
                case DerivedValue.Value<PlacementRequest>(PlacementRequest request) ->
                    translation.queryPlacementForRoutedNetworkAggregates() && !request.networks().isEmpty()
                            ? prepareRouted(spec, request)
                            : prefilter(spec, request, Map.of());
            };
        }

        private static Uni<Prepared> refused(ErrorCode code, String detail) {
            return Uni.createFrom().item(new Refused(code, detail));
        }

        private static Uni<Prepared> notPrepared(String why) {
            return refused(ErrorCode.PLACEMENT_UNAVAILABLE, "placement is unavailable: " + why);
        }

        private Uni<Prepared> prepareRouted(RequestSpec spec, PlacementRequest request) {
            return phases.during(Phase.LOOKUP, () -> segments.read(request, requestId)).chain(read -> switch (read) {
                case SegmentAggregates.Read(var bySegment) -> prefilter(spec, request, bySegment);
                case SegmentAggregates.Unreachable(String why) -> notPrepared(why);
            });
        }

        private Uni<Prepared> prefilter(
                RequestSpec spec, PlacementRequest request, Map<String, Set<String>> aggregatesBySegment) {
            var inputs = new PrefilterInputs(
                    translation,
                    registry.listAggregates().stream().map(RegisteredAggregate::facts).toList(),
                    aggregatesBySegment);
            trace.beginDecision(registry.number(), registry.asOf());
            return switch (phases.measure(
                    Phase.PREFILTER, () -> enabled.prefilters().apply(request, inputs, trace::notePrefilter))) {
                case PrefilterResult.Refused(String why) -> Uni.createFrom().item(
                        new Refused(ErrorCode.NO_VALID_HOST, why, "Scheduling failed: " + why));
                case PrefilterResult.Invalid(String why) -> refused(ErrorCode.REQUEST_INVALID, why);
                case PrefilterResult.Continue(PlacementRequest prefiltered) -> phases
                        .during(Phase.LOOKUP, () -> lookup.find(spec, registry, requestId))
                        .chain(found -> switch (found) {
                            case NamedHostLookup.Found namedHosts ->
                                Uni.createFrom().<Prepared>item(new Ready(namedHosts, prefiltered));
                            case NamedHostLookup.NoSuchHost no -> Uni.createFrom().item(
                                    new Refused(ErrorCode.NO_VALID_HOST, no.why(), no.reason()));
                            case NamedHostLookup.Unreachable(String why) -> notPrepared(why);
                        });
            };
        }

        private Uni<Result> acquireAndQuery(NamedHostLookup.Found namedHosts, PlacementRequest request) {
            return invalidOr(QueryConstruction.build(request, namedHosts.hosts(), translation),
                    first -> acquireHeap(first.queryString())
                            .chain(waited -> waited
                                    ? Uni.createFrom().item(new WaitedForHeap())
                                    : queryCandidates(namedHosts, request, first)));
        }

        private Uni<Result> queryCandidates(
                NamedHostLookup.Found namedHosts, PlacementRequest request, PlacementQuery first) {
            return queryPlacement(first.queryString())
                    .chain(answer -> switch (answer) {
                        case CandidatesResult.Unreachable _ when mayBeLimited(first.queryString()) -> queryCandidates(
                                namedHosts, request,
                                new PlacementQuery(withLimit(first.queryString()), first.pinningRequested()));
                        case CandidatesResult.Unreachable(String why) -> placementUnavailable(why);
                        case CandidatesResult.Refused refused ->
                            names.findInRefusedQuery(first.queryString(), requestId)
                                    .map(unknownNames -> unknownNames != null
                                            ? unknownNames
                                            : new Refused(
                                                    ErrorCode.NO_VALID_HOST,
                                                    "placement refused the query: " + refused.detail(),
                                                    ""));
                        case CandidatesResult.Found(AllocationCandidates found) ->
                            first.pinningRequested() && !translation.disableFallbackPcpuQuery()
                                    ? fallback(namedHosts, request, first.queryString(), found)
                                    : withCandidates(namedHosts, first.queryString(), null, found);
                    });
        }

        /**
         * Returns whether a query without a limit that had no response may be repeated with a limit. It may have failed
         * because the response with all candidates exceeds the time limit or the maximum size. False if the caller of
         * the search wants all candidates.
         */
        private boolean mayBeLimited(String query) {
            return !isLimited(query) && translation.maxPlacementResults() != TranslationOptions.NO_LIMIT;
        }

        private String withLimit(String query) {
            return "limit=" + translation.maxPlacementResults() + "&" + query;
        }

        private Uni<CandidatesResult> queryPlacement(String query) {
            return phases
                    .during(Phase.CANDIDATES, () -> switch (reading) {
                        case AS_RECEIVED -> placement.allocationCandidates(query, requestId);
                        case TO_CLAIM -> placement.candidatesToClaim(query, requestId);
                    })
                    .invoke(answer -> {
                        if (answer instanceof CandidatesResult.Found(AllocationCandidates found)) {
                            noteResponse(query, found);
                        }
                    });
        }

        private DecisionHeap.Share heapShare() {
            return Objects.requireNonNull(share, "a search that queries candidates has a share of the heap");
        }

        private Uni<Boolean> acquireHeap(String query) {
            return phases.during(
                    Phase.CANDIDATES, () -> HostSearch.acquireHeap(heapShare(), () -> hostsExpected(query)));
        }

        /**
         * Returns the number of hosts for which to acquire heap. Until this replica has seen a response to a query
         * without a limit, such a query acquires all heap, so that it runs alone: placement may have any number of
         * hosts that are not registered.
         */
        private int hostsExpected(String query) {
            int all = treesSeenMax == 0 ? Integer.MAX_VALUE : Math.max(registry.computeNodeCount(), treesSeenMax);
            return isLimited(query) ? Math.min(all, translation.maxPlacementResults()) : all;
        }

        /** Notes the number of trees in a response, and placement's version of the fleet. */
        private void noteResponse(String query, AllocationCandidates found) {
            if (!isLimited(query)) {
                treesSeenMax = Math.max(treesSeenMax, found.treeCount());
            }
            heapShare().received(found.treeCount());
            FleetPosition position = found.fleetPosition();
            if (position != null) {
                trace.noteFleet(position.replica(), position.position());
            }
        }

        /**
         * Queries candidates with VCPU instead of PCPU among hosts without PCPU inventory, where CPUs may be pinned,
         * too. Appends them to the candidates of the first query, which are on hosts with this inventory. If placement
         * refuses the query, only the candidates of the first query are used.
         */
        private Uni<Result> fallback(
                NamedHostLookup.Found namedHosts, PlacementRequest request, String query, AllocationCandidates first) {
            return invalidOr(
                    QueryConstruction.buildFallback(request, namedHosts.hosts(), translation),
                    built -> {
                        String second = isLimited(query) && mayBeLimited(built.queryString())
                                ? withLimit(built.queryString())
                                : built.queryString();
                        // Adds heap for the second response. This waits only if the first response was empty, which may
                        // have released all heap: a request that holds heap must not wait for more.
                        return acquireHeap(second).chain(() -> queryPlacement(second)).chain(answer -> switch (answer) {
                            case CandidatesResult.Unreachable _ when mayBeLimited(second) ->
                                fallback(namedHosts, request, withLimit(query), first);
                            case CandidatesResult.Unreachable(String why) -> placementUnavailable(why);
                            case CandidatesResult.Refused _ -> withCandidates(namedHosts, query, null, first);
                            case CandidatesResult.Found(AllocationCandidates fallbackCandidates) ->
                                withCandidates(namedHosts, query, second, first.followedBy(fallbackCandidates));
                        });
                    });
        }

        private Uni<NoCandidates> explain(String query, RequestSpec spec) {
            return findShortfall(query, spec, registry, requestId).map(shortfall -> new NoCandidates(query, shortfall));
        }

        /** Returns whether a provider has the resource class of an unmet amount, but cannot supply the amount. */
        private static boolean lacksAmount(NoCandidates refused) {
            return refused.shortfall() != null && refused.shortfall().nearest() != null;
        }

        private Uni<Result> withCandidates(
                NamedHostLookup.Found namedHosts, String query, @Nullable String fallback,
                AllocationCandidates candidates) {
            if (candidates.isEmpty()) {
                return explain(query, namedHosts.spec())
                        // If no host has the resource class at all (PCPU), the shortfall of the fallback query, which
                        // needs another class, is more useful, unless no host has that class either.
                        .chain(refused -> fallback == null || refused.shortfall() == null || lacksAmount(refused)
                                ? Uni.createFrom().item(refused)
                                : explain(fallback, namedHosts.spec()).map(
                                        ofFallback -> lacksAmount(ofFallback) ? ofFallback : refused));
            }
            return phases
                    .during(Phase.HOSTS, () -> hosts.create(
                            candidates,
                            registry,
                            namedHosts.namesByUuid(),
                            downTime(),
                            namedHosts.spec().requestedDestination(),
                            requestId))
                    .chain(found -> switch (found) {
                        case FoundHosts.Unreachable(String why) -> placementUnavailable(why);
                        case FoundHosts.Hosts(HostStates states) ->
                            Uni.createFrom().item(new Hosts(namedHosts.spec(), states.states(), query, candidates));
                    });
        }
    }
}
