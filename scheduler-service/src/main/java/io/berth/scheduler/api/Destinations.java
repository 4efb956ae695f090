package io.berth.scheduler.api;

import io.berth.scheduler.claim.Claimable;
import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.claim.Consumer;
import io.berth.scheduler.claim.Made;
import io.berth.scheduler.claim.Placing;
import io.berth.scheduler.claim.Releases;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Constraints;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.HostStates;
import io.berth.scheduler.host.registry.PlacedInstanceStore;
import io.berth.scheduler.host.registry.RegistryFeed;
import io.berth.scheduler.host.registry.RegistrySnapshot;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.numa.Derived;
import io.berth.scheduler.placement.AllocationCandidates;
import io.berth.scheduler.placement.AllocationRequest;
import io.berth.scheduler.placement.CandidatesAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.placement.ProviderNames;
import io.berth.scheduler.placement.ProvidersAnswer;
import io.berth.scheduler.prefilter.PrefilterInputs;
import io.berth.scheduler.prefilter.PrefilterResult;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.request.query.NamedHosts;
import io.berth.scheduler.request.query.PlacementQuery;
import io.berth.scheduler.request.query.PlacementRequest;
import io.berth.scheduler.request.query.PlacementRequests;
import io.berth.scheduler.request.query.QueryConstruction;
import io.berth.scheduler.request.query.QueryParts;
import io.berth.scheduler.request.query.TranslationOptions;
import io.berth.scheduler.weigher.RankedHost;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.infrastructure.Infrastructure;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * From a request to claimed hosts: registry, prefilters, candidates, host states, then per instance filter, weigh and
 * claim. What fails after a claim releases every claim of the request.
 * <br>Source: nova {@code scheduler/manager.py} (select_destinations).
 */
@Singleton
public class Destinations {
    private static final Logger LOG = Logger.getLogger(Destinations.class);
    /** Stands in for a project or user that the request does not name; placement wants one. */
    static final String NOBODY = "00000000-0000-0000-0000-000000000000";

    /** Questions asked at the most to explain why placement offered nothing. */
    private static final int DEMANDS_MAX = 16;

    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final RegistryFeed feed;
    private final PlacementClient placement;
    private final ProviderNames names;
    private final HostLookup lookup;
    private final ClaimLoop claims;
    private final Releases releases;
    private final PlacedInstanceStore placed;

    Destinations(
            ConfiguredOptions configured,
            EnabledClasses enabled,
            RegistryFeed feed,
            PlacementClient placement,
            ProviderNames names,
            HostLookup lookup,
            ClaimLoop claims,
            Releases releases,
            PlacedInstanceStore placed) {
        this.configured = configured;
        this.enabled = enabled;
        this.feed = feed;
        this.placement = placement;
        this.names = names;
        this.lookup = lookup;
        this.claims = claims;
        this.releases = releases;
        this.placed = placed;
    }

    Uni<Outcome> select(SelectBody body, SchedulingInputs.Detail detail, String requestId) {
        Options options = configured.options();
        return switch (Constraints.derive(
                body.spec(), body.open(), options, () -> UUID.randomUUID().toString())) {
            case Derived.Refused<RequestSpec>(String why) -> failed(ErrorCode.REQUEST_INVALID, why);
            case Derived.Value<RequestSpec>(RequestSpec spec) -> feed.current()
                    .chain(registry -> new Request(body, detail, requestId, options, registry).run(spec))
                    .onTermination().invoke(() -> placement.decided(requestId));
        };
    }

    private static Uni<Outcome> failed(ErrorCode code, String detail) {
        return Uni.createFrom().item(new Outcome.Failed(code, detail));
    }

    /** One request on its way; steps run one after the other. */
    private final class Request {
        private final SelectBody body;
        private final SchedulingInputs.Detail detail;
        private final String requestId;
        private final Options options;
        private final RegistrySnapshot registry;
        private final TranslationOptions translation;
        private final List<Made> made = new ArrayList<>();
        private Scheduling scheduling;
        /** Whether the candidates are to be taken as placement tells them. */
        private boolean asTold;

        Request(
                SelectBody body,
                SchedulingInputs.Detail detail,
                String requestId,
                Options options,
                RegistrySnapshot registry) {
            this.body = body;
            this.detail = detail;
            this.requestId = requestId;
            this.options = options;
            this.registry = registry;
            this.translation = TranslationOptions.of(options, configured.requireOwnerNova());
        }

        Uni<Outcome> run(RequestSpec derived) {
            return switch (ServerGroups.complete(derived, registry, enabled.filters(), enabled.weighers())) {
                case Derived.Refused<RequestSpec>(String why) -> failed(ErrorCode.REQUEST_INVALID, why);
                case Derived.Value<RequestSpec>(RequestSpec spec) -> spec.schedulerHints().asksForRebuildCheck()
                        ? decide(spec, HostStates.registered(registry, downTime(), spec.requestedDestination()))
                        : prefilter(spec)
                                .chain(outcome -> isInDoubt(outcome) ? asTold(spec) : Uni.createFrom().item(outcome));
            };
        }

        private boolean isInDoubt(Outcome outcome) {
            return outcome instanceof Outcome.Failed failed
                    && failed.code() == ErrorCode.NO_VALID_HOST
                    && placement.decided(requestId);
        }

        /** Other requests' claims left no host; whether those claims hold is placement's to say. */
        private Uni<Outcome> asTold(RequestSpec spec) {
            asTold = true;
            made.clear();
            return prefilter(spec);
        }

        private Uni<CandidatesAnswer> candidates(String query) {
            return asTold || !body.claims()
                    ? placement.allocationCandidates(query, requestId)
                    : placement.candidatesToClaim(query, requestId);
        }

        private Uni<Outcome> prefilter(RequestSpec spec) {
            return invalidOr(PlacementRequests.of(spec, options.filterScheduler().pciInPlacement()), asked -> {
                var inputs = new PrefilterInputs(translation, registry.listAggregates());
                return switch (enabled.prefilters().apply(asked, inputs)) {
                    case PrefilterResult.Refused(String why) -> failed(ErrorCode.NO_VALID_HOST, why);
                    case PrefilterResult.Invalid(String why) -> failed(ErrorCode.REQUEST_INVALID, why);
                    case PrefilterResult.Continue(PlacementRequest prefiltered) -> lookup
                            .find(spec, registry, requestId)
                            .chain(found -> switch (found) {
                                case HostLookup.Found(RequestSpec named, NamedHosts hosts) ->
                                    query(named, prefiltered, hosts);
                                case HostLookup.NoSuchHost(String why) -> failed(ErrorCode.NO_VALID_HOST, why);
                                case HostLookup.Unreachable(String why) -> away(why);
                            });
                };
            });
        }

        private Uni<Outcome> query(RequestSpec spec, PlacementRequest asked, NamedHosts hosts) {
            return invalidOr(
                    QueryConstruction.build(asked, hosts, translation), first -> candidates(first.queryString())
                    .chain(answer -> switch (answer) {
                        case CandidatesAnswer.Unreachable(String why) -> away(why);
                        case CandidatesAnswer.Refused refused -> failed(
                                ErrorCode.NO_VALID_HOST, "placement refused the query: " + refused.detail());
                        case CandidatesAnswer.Found(AllocationCandidates found) ->
                            first.pinningRequested() && !translation.disableFallbackPcpuQuery()
                                    ? fallback(spec, asked, hosts, first.queryString(), found)
                                    : withCandidates(spec, first.queryString(), found);
                    }));
        }

        /** Hosts that offer no PCPU yet may still pin: their candidates come behind the others. */
        private Uni<Outcome> fallback(
                RequestSpec spec, PlacementRequest asked, NamedHosts hosts, String query, AllocationCandidates first) {
            return invalidOr(
                    QueryConstruction.buildFallback(asked, hosts, translation),
                    second -> candidates(second.queryString())
                    .chain(answer -> switch (answer) {
                        case CandidatesAnswer.Unreachable(String why) -> away(why);
                        case CandidatesAnswer.Refused _ -> withCandidates(spec, query, first);
                        case CandidatesAnswer.Found(AllocationCandidates more) ->
                            withCandidates(spec, query, first.followedBy(more));
                    }));
        }

        /** Asks again without one demand at a time, to say which of them left nothing. Lost answers count as nothing. */
        private Uni<Outcome> noCandidates(String query) {
            return Multi.createFrom().iterable(QueryParts.of(query, DEMANDS_MAX))
                    .onItem().transformToUniAndConcatenate(variant -> placement
                            .allocationCandidates(variant.queryString(), requestId)
                            .map(answer -> answer instanceof CandidatesAnswer.Found(AllocationCandidates found)
                                            && !found.isEmpty()
                                    ? variant.demand()
                                    : ""))
                    .filter(demand -> !demand.isEmpty())
                    .collect().asList()
                    .map(decisive -> new Outcome.NoCandidates(query, decisive));
        }

        private Uni<Outcome> withCandidates(RequestSpec spec, String query, AllocationCandidates candidates) {
            if (candidates.isEmpty()) {
                return noCandidates(query);
            }
            Set<String> unregistered = HostStates.unregisteredRoots(candidates, registry);
            return names.of(unregistered, requestId).chain(answer -> switch (answer) {
                case ProvidersAnswer.Unreachable(String why) -> away(why);
                case ProvidersAnswer.Listed listed -> settled(spec.instanceUuids())
                        .chain(free -> free
                                ? computed(() -> HostStates.build(
                                                candidates,
                                                registry,
                                                listed.namesByUuid(),
                                                downTime(),
                                                spec.requestedDestination()))
                                        .chain(hosts -> decide(spec, hosts))
                                : away("claims of an earlier request could not be taken back yet"));
            });
        }

        private Uni<Boolean> settled(List<String> instances) {
            return !body.claims()
                    ? Uni.createFrom().item(true)
                    : releases.settle(instances.stream().map(UUID::fromString).toList(), requestId);
        }

        private Uni<Outcome> decide(RequestSpec spec, List<HostState> hosts) {
            var inputs = new SchedulingInputs(
                    options, enabled.filters(), enabled.weighers(), new SplittableRandom(), detail);
            boolean claiming = body.claims() && !spec.schedulerHints().asksForRebuildCheck();
            return computed(() -> Scheduling.begin(spec, hosts, inputs)).chain(begun -> {
                scheduling = begun;
                return Multi.createFrom().range(0, begun.instanceCount())
                        .onItem().transformToUniAndConcatenate(index -> placeOne(spec, claiming))
                        .select().where(failure -> failure != PLACED)
                        .toUni()
                        .chain(failure -> failure == null ? finish(spec, claiming) : released(failure));
            });
        }

        /** {@link #PLACED} if the open round's instance has its host now. */
        private Uni<Outcome> placeOne(RequestSpec spec, boolean claiming) {
            List<RankedHost> attempts = scheduling.round().attempts();
            if (attempts.isEmpty()) {
                return Uni.createFrom().item(gaveUp("There are not enough hosts available."));
            }
            if (!claiming) {
                return consume(attempts.getFirst());
            }
            Consumer consumer = new Consumer(
                    UUID.fromString(scheduling.round().spec().instanceUuid()),
                    spec.projectId() == null ? NOBODY : spec.projectId(),
                    spec.userId() == null ? NOBODY : spec.userId(),
                    requestId);
            List<Claimable<RankedHost>> ranked = attempts.stream()
                    .map(host -> new Claimable<>(host, requestOf(host.host())))
                    .toList();
            return claims.claimFirst(consumer, ranked).chain(placing -> switch (placing) {
                case Placing.Selected<RankedHost>(RankedHost host, AllocationRequest request) -> {
                    made.add(new Made(consumer, request));
                    yield consume(host);
                }
                case Placing.NoneLeft<RankedHost> none -> Uni.createFrom().item(gaveUp(
                        "There are not enough hosts available: " + none.attempts() + " refused, the last with: "
                                + none.lastRefusal()));
                case Placing.Aborted<RankedHost>(String why) -> Uni.createFrom().item(
                        new Outcome.Failed(ErrorCode.ALLOCATION_UPDATE_FAILED, why, scheduling.giveUp()));
                case Placing.InDoubt<RankedHost>(AllocationRequest request, String why) -> releases
                        .recordForLater(new Made(consumer, request))
                        .replaceWith(new Outcome.Failed(ErrorCode.PLACEMENT_UNAVAILABLE, why, scheduling.giveUp()));
            });
        }

        private Uni<Outcome> consume(RankedHost host) {
            return computed(() -> scheduling.consume(host)).map(next -> {
                scheduling = next;
                return PLACED;
            });
        }

        private Outcome gaveUp(String why) {
            Decision decision = scheduling.giveUp();
            return decision.error() == null
                    ? new Outcome.Failed(ErrorCode.NO_VALID_HOST, why, decision)
                    : new Outcome.Failed(ErrorCode.REQUEST_INVALID, decision.error().detail(), decision);
        }

        private Uni<Outcome> finish(RequestSpec spec, boolean claiming) {
            return computed(() -> scheduling.finish(body.returnAlternates())).chain(decision -> {
                if (decision.error() != null) {
                    return released(
                            new Outcome.Failed(ErrorCode.REQUEST_INVALID, decision.error().detail(), decision));
                }
                Outcome selected = new Outcome.Selected(decision, Weights.attach(decision));
                return claiming ? registered(spec, decision).replaceWith(selected) : Uni.createFrom().item(selected);
            });
        }

        /** The next request of the same group must see these. A claim stands even if they cannot be written. */
        private Uni<Void> registered(RequestSpec spec, Decision decision) {
            List<HostState> hosts =
                    decision.selections().stream().map(List::getFirst).toList();
            return placed.add(spec, hosts)
                    .onFailure().invoke(failure -> LOG.warnf(
                            "claimed, but instances not registered request=%s cause=%s", requestId, failure))
                    .onFailure().recoverWithNull();
        }

        private Uni<Outcome> released(Outcome failure) {
            return releases.releaseAll(made).replaceWith(failure);
        }

        private <T> Uni<Outcome> invalidOr(Derived<T> derived, Function<T, Uni<Outcome>> next) {
            return switch (derived) {
                case Derived.Refused<T>(String why) -> failed(ErrorCode.REQUEST_INVALID, why);
                case Derived.Value<T>(T value) -> next.apply(value);
            };
        }

        private Uni<Outcome> away(String why) {
            return failed(ErrorCode.PLACEMENT_UNAVAILABLE, "placement does not answer: " + why);
        }

        private Duration downTime() {
            return Duration.ofSeconds(options.defaults().serviceDownTimeSeconds());
        }
    }

    private static final Outcome PLACED = new Outcome.Failed(ErrorCode.INTERNAL_ERROR, "placed");

    /** What is claimed on a host: its first candidate that filters left. */
    static AllocationRequest requestOf(HostState host) {
        var first = host.allocationCandidates().getFirst();
        return new AllocationRequest(first.allocations(), first.mappings());
    }

    /** Filtering ten thousand hosts takes milliseconds: never on an event loop. */
    private static <T> Uni<T> computed(Supplier<T> work) {
        return Uni.createFrom().item(work).runSubscriptionOn(Infrastructure.getDefaultExecutor());
    }
}
