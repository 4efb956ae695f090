package io.berth.scheduler.selection;

import io.berth.scheduler.claim.ClaimStrategy;
import io.berth.scheduler.config.Driver;
import io.berth.scheduler.config.Options;
import io.berth.scheduler.config.service.ConfiguredOptions;
import io.berth.scheduler.decision.Decision;
import io.berth.scheduler.decision.Scheduling;
import io.berth.scheduler.decision.SchedulingInputs;
import io.berth.scheduler.decision.Warnings;
import io.berth.scheduler.extension.EnabledClasses;
import io.berth.scheduler.extension.FactSources;
import io.berth.scheduler.heap.DecisionHeap;
import io.berth.scheduler.host.HostState;
import io.berth.scheduler.host.registry.ComputeNode;
import io.berth.scheduler.host.registry.instance.PlacedInstanceStore;
import io.berth.scheduler.host.registry.snapshot.RegistrySnapshot;
import io.berth.scheduler.host.states.HostStates;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.placement.candidate.RoomLeft;
import io.berth.scheduler.record.DecisionRecords;
import io.berth.scheduler.request.Constraints;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.PriorRequest;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.berth.scheduler.search.Computing;
import io.berth.scheduler.search.GoneNames;
import io.berth.scheduler.search.HostSearch;
import io.berth.scheduler.search.Shortfall;
import io.berth.scheduler.search.UnknownNames;
import io.berth.scheduler.text.Derived;
import io.berth.scheduler.timing.Phases.Phase;
import io.berth.scheduler.timing.Phases;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * Takes a request to claimed hosts: reads the registry, then runs {@link HostSearch} for the hosts and {@link Rounds}
 * for the claims.
 * <br>Source: nova {@code scheduler/manager.py} (select_destinations).
 */
@Singleton
public class Destinations {
    private static final Logger LOG = Logger.getLogger(Destinations.class);
    /**
     * Maximum decisions per request; each one after the first follows the removal of an earlier request that was in
     * its way.
     */
    private static final int TRIES_MAX = 3;
    /** Maximum decisions per attempt; a decision is repeated if members of its server group moved to other hosts. */
    private static final int DECISIONS_MAX = 5;
    /** The request waited for heap memory, so it must be decided again with the current registry. */
    private static final Outcome WAITED = new Outcome.Outdated(new Outcome.Failed(ErrorCode.OVERLOADED, "waited for memory"));

    private final ConfiguredOptions configured;
    private final EnabledClasses enabled;
    private final ServerGroups groups;
    private final UnknownNames names;
    private final HostSearch search;
    private final DecisionHeap heap;
    private final FactSources facts;
    private final RequestRecords requestRecords;
    private final AnswerWriter answers;
    private final ChanceDriver chance;
    private final CachingDriver caching;
    private final PlacedInstanceStore placed;
    private final DecisionMetrics metrics;
    private final DecisionRecords records;

    Destinations(
            ConfiguredOptions configured,
            EnabledClasses enabled,
            ServerGroups groups,
            UnknownNames names,
            HostSearch search,
            DecisionHeap heap,
            FactSources facts,
            RequestRecords requestRecords,
            AnswerWriter answers,
            ChanceDriver chance,
            CachingDriver caching,
            PlacedInstanceStore placed,
            DecisionMetrics metrics,
            DecisionRecords records) {
        this.configured = configured;
        this.enabled = enabled;
        this.groups = groups;
        this.names = names;
        this.search = search;
        this.heap = heap;
        this.facts = facts;
        this.requestRecords = requestRecords;
        this.answers = answers;
        this.chance = chance;
        this.caching = caching;
        this.placed = placed;
        this.metrics = metrics;
        this.records = records;
    }

    /** Places instances, claims as the driver does, and registers them if the driver claims nothing itself. */
    public Uni<Outcome> select(SelectionRequest request, IdempotencyKey asked, SchedulingInputs.Detail detail, DecisionTrace trace) {
        String requestId = asked.requestId();
        warn(request, trace);
        boolean claims = request.claims() && !request.spec().schedulerHints().asksForRebuildCheck();
        return ended(trace, switch (driver()) {
            case FILTER_SCHEDULER -> claims
                    ? boot(asked, TRIES_MAX, request, detail, trace)
                    : found(request, null, detail, trace);
            case CACHING_SCHEDULER -> found(request, null, detail, trace)
                    .call(outcome -> claims ? register(request.spec(), outcome, requestId, trace.phases()) : nothing());
            case CHANCE_SCHEDULER -> chance.place(request.spec(), request.returnAlternates(), requestId)
                    .call(outcome -> claims ? register(request.spec(), outcome, requestId, trace.phases()) : nothing());
        });
    }

    /**
     * Decides first. The records of earlier requests are read only if the decision fails or another request owns the
     * record, so that the common case costs no extra query.
     */
    private Uni<Outcome> boot(
            IdempotencyKey asked, int triesLeft, SelectionRequest request, SchedulingInputs.Detail detail, DecisionTrace trace) {
        return requestRecords.claims(asked).chain(claims -> found(request, claims, detail, trace).chain(outcome -> {
            if (!(outcome instanceof Outcome.Failure failure)) {
                return Uni.createFrom().item(outcome);
            }
            if (claims.hasBegun() && isOvertaken(failure)) {
                return overtaken(asked);
            }
            if (claims.hasBegun() || !mayBeInTheWay(failure)) {
                return where(asked, failure);
            }
            return trace.phases().during(Phase.SETTLE, () -> requestRecords.known(asked)).chain(known -> switch (known) {
                case PriorRequest.Nothing _ when !isOvertaken(failure) -> Uni.createFrom().item(failure);
                case PriorRequest.Nothing _, PriorRequest.Cleared _ -> triesLeft > 1
                        ? boot(asked, triesLeft - 1, request, detail, trace)
                        : Uni.createFrom().item(new Outcome.Refused(RequestRecords.underWay()));
                case PriorRequest.Answered(String answer) -> Uni.createFrom().item(new Outcome.Repeated(answer));
                case PriorRequest.Refused(ApiFault fault) -> Uni.createFrom().item(new Outcome.Refused(fault));
            });
        }));
    }

    /** Returns the stored response if the new owner of the record confirmed the placement. */
    private Uni<Outcome> overtaken(IdempotencyKey asked) {
        return requestRecords.answerOf(asked)
                .map(answer -> answer == null ? new Outcome.Refused(RequestRecords.underWay()) : new Outcome.Repeated(answer));
    }

    /** Returns whether an earlier request about the same instances may have caused the failure. */
    private static boolean mayBeInTheWay(Outcome.Failure failure) {
        return failure instanceof Outcome.NoCandidates
                || isOvertaken(failure)
                || isNoValidHost(failure);
    }

    private static boolean isNoValidHost(Outcome outcome) {
        return outcome instanceof Outcome.Failed failed && failed.code() == ErrorCode.NO_VALID_HOST;
    }

    private static boolean isOvertaken(Outcome.Failure failure) {
        return failure instanceof Outcome.Failed failed && failed.code() == ErrorCode.CONCURRENT_UPDATE;
    }

    /** Handles instances that hold allocations although no recorded request placed them: the error names the hosts. */
    private Uni<Outcome> where(IdempotencyKey asked, Outcome.Failure failure) {
        return failure instanceof Outcome.Failed failed && failed.code() == ErrorCode.ALLOCATION_UPDATE_FAILED
                ? requestRecords.findPlaced(asked)
                        .onFailure(ApiFault.class).recoverWithNull()
                        .map(fault -> fault == null ? failure : new Outcome.Refused(fault))
                : Uni.createFrom().item(failure);
    }

    /**
     * Counts the decision and records it. A repeated response is counted but not recorded, as it is no new decision.
     */
    private Uni<Outcome> ended(DecisionTrace trace, Uni<Outcome> selecting) {
        return selecting
                .invoke(outcome -> {
                    metrics.ended(trace.phases(), outcome);
                    switch (outcome) {
                        case Outcome.Selected selected -> records.add(trace, Endings.of(selected));
                        case Outcome.Failure failure -> records.add(trace, Endings.of(failure));
                        case Outcome.Repeated _ -> {}
                    }
                })
                .onFailure().invoke(failure -> {
                    metrics.failed(failure);
                    records.add(trace, Endings.of(failure));
                });
    }

    private void warn(SelectionRequest request, DecisionTrace trace) {
        trace.warns(Warnings.of(request.spec(), enabled.filters(), configured.options()));
    }

    /** Records a request that failed before {@link #select} was called. */
    public void failed(DecisionTrace trace, Throwable failure) {
        trace.phases().end();
        records.add(trace, Endings.of(failure));
    }

    public Driver driver() {
        return configured.options().scheduler().driver();
    }

    /** Fails with ApiFault (409) under a driver that claims nothing, as instances cannot be moved then. */
    public void requireMoves() {
        if (driver() != Driver.FILTER_SCHEDULER) {
            throw new ApiFault(
                    ErrorCode.CONFLICT, "moves need the filter_scheduler: " + driver().optionName() + " claims nothing");
        }
    }

    private static Uni<Void> nothing() {
        return Uni.createFrom().voidItem();
    }

    /** Registers instances under drivers that claim nothing, so that the next request of the same group sees them. */
    private Uni<Void> register(RequestSpec spec, Outcome outcome, String requestId, Phases phases) {
        if (!(outcome instanceof Outcome.Selected selected)) {
            return nothing();
        }
        List<HostState> hosts = selected.decision().selections().stream().map(List::getFirst).toList();
        // The first round's spec names the server group that was found for the request.
        RequestSpec scheduled = selected.decision().rounds().isEmpty()
                ? spec
                : selected.decision().rounds().getFirst().round().spec();
        return phases
                .during(Phase.REGISTER, () -> groups.join(scheduled, placed.add(scheduled, hosts).replaceWith(true)))
                .replaceWithVoid()
                .onFailure().invoke(failure -> LOG.warnf(
                        "selected, but instances not registered request=%s cause=%s", requestId, failure))
                .onFailure().recoverWithNull();
    }

    /**
     * Selects hosts and claims them with the caller's strategy, or only decides.
     *
     * @param claiming how the hosts found are claimed; null to decide only
     */
    public Uni<Outcome> select(SelectionRequest request, @Nullable ClaimStrategy claiming, DecisionTrace trace) {
        warn(request, trace);
        return ended(trace, found(request, claiming, SchedulingInputs.Detail.COUNTS, trace));
    }

    private Uni<Outcome> found(
            SelectionRequest request, @Nullable ClaimStrategy claiming, SchedulingInputs.Detail detail, DecisionTrace trace) {
        Options options = configured.options();
        return switch (Constraints.derive(
                request.spec(), request.open(), options, () -> UUID.randomUUID().toString())) {
            case Derived.Refused<RequestSpec>(String why) -> failed(ErrorCode.REQUEST_INVALID, why);
            case Derived.Value<RequestSpec>(RequestSpec spec) -> {
                Room room = new Room(heap.share(spec.instanceCount()));
                yield decided(DECISIONS_MAX, () -> trace.phases()
                        .during(Phase.REGISTRY, () -> groups.current(
                                registry -> ServerGroups.find(spec, registry), trace.request().requestId()))
                        .chain(registry -> new Request(request, claiming, detail, options, registry, room, trace).run(spec)))
                        .onTermination().invoke(room.share::end);
            }
        };
    }

    private static Uni<Outcome> decided(int triesLeft, Supplier<Uni<Outcome>> deciding) {
        return deciding.get().chain(outcome -> {
            if (outcome == WAITED) {
                return decided(triesLeft, deciding);
            }
            if (!(outcome instanceof Outcome.Outdated(Outcome.Failed as))) {
                return Uni.createFrom().item(outcome);
            }
            return triesLeft > 1 ? decided(triesLeft - 1, deciding) : Uni.createFrom().item(as);
        });
    }

    private static Uni<Outcome> failed(ErrorCode code, String detail) {
        return Uni.createFrom().item(new Outcome.Failed(code, detail));
    }

    private static Uni<Outcome> failed(HostSearch.Refused refused) {
        return Uni.createFrom().item(new Outcome.Failed(refused.code(), refused.detail(), refused.reason(), null));
    }

    /** The heap share of one request across all its decisions. A request waits for its share twice at most. */
    private static final class Room {
        private final DecisionHeap.Share share;
        /**
         * The failure of the first, limited candidates, without its hosts; null until all candidates may be
         * requested.
         */
        private @Nullable Outcome.Failed first;

        Room(DecisionHeap.Share share) {
            this.share = share;
        }

        /**
         * Acquires the share for all candidates as a new admission: a request that holds part of the heap must not
         * wait for more.
         */
        void beginAnew(Outcome.Failed failed) {
            first = new Outcome.Failed(failed.code(), failed.detail(), failed.reason(), null);
            share.beginAnew();
        }
    }

    /** One request while it is decided. */
    private final class Request {
        private final SelectionRequest request;
        private final @Nullable ClaimStrategy claiming;
        private final SchedulingInputs.Detail detail;
        private final String requestId;
        private final Options options;
        private final RegistrySnapshot registry;
        private final Room room;
        private final DecisionTrace trace;
        private final Phases phases;

        Request(
                SelectionRequest request,
                @Nullable ClaimStrategy claiming,
                SchedulingInputs.Detail detail,
                Options options,
                RegistrySnapshot registry,
                Room room,
                DecisionTrace trace) {
            this.request = request;
            this.claiming = claiming;
            this.detail = detail;
            this.requestId = trace.request().requestId();
            this.options = options;
            this.registry = registry;
            this.room = room;
            this.trace = trace;
            this.phases = trace.phases();
        }

        Uni<Outcome> run(RequestSpec asked) {
            String zone = options.defaults().defaultAvailabilityZone();
            RequestSpec derived = request.again() ? GoneNames.ignore(asked, registry, zone) : asked;
            // A rebuild stays on its host, so names that the instance was created with may be gone.
            return derived.schedulerHints().asksForRebuildCheck()
                    ? known(derived)
                    : names.find(derived, registry, zone, requestId)
                            .chain(unknown -> unknown == null ? known(derived) : failed(unknown));
        }

        private Uni<Outcome> known(RequestSpec derived) {
            return switch (ServerGroups.complete(derived, registry, enabled.filters(), enabled.weighers())) {
                case Derived.Refused<RequestSpec>(String why) -> failed(ErrorCode.REQUEST_INVALID, why);
                case Derived.Value<RequestSpec>(RequestSpec spec) -> {
                    if (spec.schedulerHints().asksForRebuildCheck()) {
                        yield check(spec);
                    }
                    yield driver() == Driver.CACHING_SCHEDULER
                            ? caching.place(spec, request.returnAlternates(), inputs(), requestId)
                            : claiming == null
                                    ? find(spec, HostSearch.Reading.AS_TOLD)
                                    : claimAmongOthers(spec);
                }
            };
        }

        /** Checks whether the hosts would still pass. Requests no candidates and claims nothing. */
        private Uni<Outcome> check(RequestSpec spec) {
            return search.findToCheck(spec, registry, room.share, requestId)
                    .chain(hosts -> decide(spec, hosts, amounts -> true));
        }

        /**
         * Decides with other requests' claims in flight counted. If that leaves no host, decides again without them,
         * as only placement knows whether those claims hold.
         */
        private Uni<Outcome> claimAmongOthers(RequestSpec spec) {
            return find(spec, HostSearch.Reading.TO_CLAIM)
                    .chain(outcome -> isNoValidHost(outcome) && search.endTurn(requestId)
                            ? find(spec, HostSearch.Reading.AS_TOLD)
                            : Uni.createFrom().item(outcome))
                    .onTermination().invoke(() -> search.endTurn(requestId));
        }

        private Uni<Outcome> find(RequestSpec spec, HostSearch.Reading reading) {
            if (room.first != null) {
                return findUncut(spec, reading);
            }
            record Tried(Outcome outcome, boolean isCut) {}
            return search.find(spec, registry, reading, room.share, trace)
                    .chain(result -> place(result)
                            .map(outcome -> new Tried(outcome, isNoValidHost(outcome) && isCut(result))))
                    .chain(tried -> {
                        if (!tried.isCut()) {
                            return Uni.createFrom().item(tried.outcome());
                        }
                        room.beginAnew((Outcome.Failed) tried.outcome());
                        return findUncut(spec, reading);
                    });
        }

        private boolean isCut(HostSearch.Result result) {
            return result instanceof HostSearch.Hosts hosts && hosts.isCut(options.scheduler().maxPlacementResults());
        }

        /** Repeats the search without a limit: the first candidates that failed say nothing about the others. */
        private Uni<Outcome> findUncut(RequestSpec spec, HostSearch.Reading reading) {
            return search.findWithoutLimit(spec, registry, reading, room.share, trace)
                    .chain(result -> result instanceof HostSearch.Refused || result instanceof HostSearch.NoCandidates
                            ? Uni.createFrom().item(new Outcome.Failed(
                                    room.first.code(),
                                    room.first.detail() + "; placement's answer was cut at "
                                            + options.scheduler().maxPlacementResults()
                                            + " candidates (max_placement_results), and it does not give all",
                                    room.first.reason(),
                                    null))
                            : place(result));
        }

        private Uni<Outcome> place(HostSearch.Result result) {
            return switch (result) {
                case HostSearch.Refused refused -> failed(refused);
                case HostSearch.Waited _ -> Uni.createFrom().item(WAITED);
                case HostSearch.NoCandidates(String query, Shortfall shortfall) ->
                    Uni.createFrom().item(new Outcome.NoCandidates(query, shortfall));
                case HostSearch.Hosts found -> phases
                        .during(Phase.ATTEST, () -> facts.add(found.spec(), found.hosts(), enabled.filters()))
                        .chain(attested -> claiming == null
                                ? decide(found.spec(), attested, new RoomLeft(found.candidates())::take)
                                : rounds().run(found.spec(), attested, request.returnAlternates()))
                        .map(outcome -> found.hosts().isEmpty() ? withoutHosts(outcome, found) : outcome)
                        .chain(outcome -> isNoValidHost(outcome)
                                ? withHostOfGroup((Outcome.Failed) outcome, found)
                                : Uni.createFrom().item(outcome))
                        .chain(outcome -> isNoValidHost(outcome) && !isCut(found)
                                ? withLeftOut((Outcome.Failed) outcome, found)
                                : Uni.createFrom().item(outcome));
            };
        }

        /**
         * Names the group's host as the obstacle if an affinity group is bound to a host that placement does not
         * offer.
         */
        private Uni<Outcome> withHostOfGroup(Outcome.Failed failed, HostSearch.Hosts found) {
            ComputeNode node = ServerGroups.findHostNotOffered(found.spec().instanceGroup(), found.hosts(), registry);
            return node == null
                    ? Uni.createFrom().item(failed)
                    : search.obstacles(found.query(), node, requestId).map(obstacles -> obstacles.isEmpty()
                            ? failed
                            : new Outcome.Failed(
                                    failed.code(),
                                    failed.detail() + "; the group is on " + node.host() + ", which placement does not offer: "
                                            + String.join(", ", obstacles),
                                    failed.reason(),
                                    failed.decision()));
        }

        /** Explains a result in which placement offers candidates but none is on a host that the request can reach. */
        private Outcome withoutHosts(Outcome outcome, HostSearch.Hosts found) {
            String why = HostStates.whyNone(found.candidates(), registry, found.spec().requestedDestination());
            return why != null && outcome instanceof Outcome.Failed failed && isNoValidHost(failed)
                    ? new Outcome.Failed(failed.code(), why, failed.reason(), failed.decision())
                    : outcome;
        }

        /**
         * Completes the failure with the hosts that placement did not offer, as filters only saw those that it
         * offered.
         */
        private Uni<Outcome> withLeftOut(Outcome.Failed failed, HostSearch.Hosts found) {
            return search.leftOut(found.query(), found.spec(), registry, requestId).map(shortfall -> shortfall == null
                    ? failed
                    : failed.with(new Outcome.NoCandidates(found.query(), shortfall)));
        }

        /** Decides without claiming; {@code claims} is as in {@link Scheduling#place}. */
        private Uni<Outcome> decide(
                RequestSpec spec, List<HostState> hosts, Predicate<Map<String, Map<String, Long>>> claims) {
            return Computing.run(
                    spec.instanceCount() == 1 && Scheduling.isQuick(spec, hosts),
                    () -> Outcome.of(Decision.decide(spec, hosts, request.returnAlternates(), inputs(), claims), ""));
        }

        private Rounds rounds() {
            return new Rounds(
                    inputs(),
                    registry,
                    claiming,
                    selected -> claiming.isRecorded()
                            ? selected.with(answers.render(
                                    selected, request.spec(), detail == SchedulingInputs.Detail.HOSTS, trace))
                            : selected,
                    trace);
        }

        private SchedulingInputs inputs() {
            return new SchedulingInputs(
                    options, enabled.filters(), enabled.weighers(), new SplittableRandom(), detail,
                    phases.and(enabled.times()));
        }
    }
}
