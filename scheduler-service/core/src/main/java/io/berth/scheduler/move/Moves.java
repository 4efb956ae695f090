package io.berth.scheduler.move;

import io.berth.scheduler.claim.ClaimLoop;
import io.berth.scheduler.groupreservation.GroupReservations;
import io.berth.scheduler.groupreservation.SourceReservation;
import io.berth.scheduler.host.registry.instance.PlacedInstanceStore;
import io.berth.scheduler.host.registry.snapshot.RegistryFeed;
import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.berth.scheduler.lease.FenceNumbers;
import io.berth.scheduler.lease.OpenWork;
import io.berth.scheduler.placement.AllocationsAnswer;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.berth.scheduler.selection.AnswerWriter;
import io.berth.scheduler.selection.Destinations;
import io.berth.scheduler.selection.Outcome;
import io.berth.scheduler.selection.Selection;
import io.berth.scheduler.selection.SelectionRequest;
import io.berth.scheduler.trace.DecisionTrace;
import io.smallrye.mutiny.Uni;
import jakarta.annotation.Nullable;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Takes a move from its request to the claimed host. Each claim is one request to placement that gives the instance
 * the target and, at the same time, leaves the source's allocations with the migration or with the instance. The
 * record of the move stores how it ended. A failed move restores exactly the earlier allocations; a repeated request
 * gets the same response.
 * <br>Source: nova {@code conductor/tasks/migrate.py}, {@code conductor/tasks/live_migrate.py},
 * {@code conductor/manager.py}.
 */
@Singleton
public class Moves {
    private static final Logger LOG = Logger.getLogger(Moves.class);
    /**
     * The longest time for a move. One that takes longer is abandoned: its ownership ends, and {@link OpenWork} rolls
     * it back.
     */
    static final Duration RUN_MAX = Duration.ofSeconds(150);
    private static final double LEASE_SECONDS = RUN_MAX.toSeconds() + 30;

    private final Destinations destinations;
    private final AnswerWriter answers;
    private final MoveSources sources;
    private final RegistryFeed feed;
    private final PlacementClient placement;
    private final MoveStore store;
    private final MoveRollback undo;
    private final RequestRecords requestRecords;
    private final ClaimLoop claims;
    private final FenceNumbers numbers;
    private final GroupReservations reservations;

    Moves(
            Destinations destinations,
            AnswerWriter answers,
            MoveSources sources,
            RegistryFeed feed,
            PlacementClient placement,
            MoveStore store,
            MoveRollback undo,
            RequestRecords requestRecords,
            ClaimLoop claims,
            FenceNumbers numbers,
            GroupReservations reservations) {
        this.destinations = destinations;
        this.answers = answers;
        this.sources = sources;
        this.feed = feed;
        this.placement = placement;
        this.store = store;
        this.undo = undo;
        this.requestRecords = requestRecords;
        this.claims = claims;
        this.numbers = numbers;
        this.reservations = reservations;
    }

    /** Returns the response in the form of select_destinations. Fails with ApiFault if the move is impossible. */
    public Uni<String> move(MoveRequest call, DecisionTrace trace) {
        return Uni.createFrom()
                .deferred(() -> {
                    destinations.requireMoves();
                    return store.find(call.migrationUuid());
                })
                .chain(known -> known == null ? fresh(call, trace) : again(known, call, trace))
                .ifNoItem().after(RUN_MAX).recoverWithUni(
                        () -> tookTooLong(call.migrationUuid(), trace.request().requestId()))
                .onFailure().invoke(failure -> destinations.failed(trace, failure));
    }

    /** Ends the ownership first: until then a statement in flight may still record the instance as moved. */
    private Uni<String> tookTooLong(UUID migration, String requestId) {
        return OpenWork.afterLoss(store.leave(migration, requestId))
                .chain(() -> store.find(migration))
                .map(move -> {
                    if (move != null && (move.state() == MoveState.MOVED || move.state() == MoveState.CONFIRMED)) {
                        return move.answer();
                    }
                    throw new ApiFault(
                            ErrorCode.PLACEMENT_UNAVAILABLE,
                            "the move took longer than " + RUN_MAX.toSeconds() + " s and is put back");
                });
    }

    /** Returns what {@link #move} would return now, as a dry run: it claims nothing and records no move. */
    public Uni<String> decide(MoveRequest call, DecisionTrace trace) {
        destinations.requireMoves();
        String requestId = trace.request().requestId();
        return feed.current()
                .chain(registry -> sources.find(call, registry, requestId))
                .chain(source -> placement.getAllocations(call.instanceUuid(), requestId).chain(answer -> {
                    RequestSpec spec = specOf(call, source, movable(call.kind(), source, answer));
                    return destinations
                            .select(call.request().with(spec), null, trace)
                            .map(outcome -> switch (outcome) {
                                case Outcome.Selected selected -> answers.render(selected, spec, false, trace).plain();
                                case Outcome.Repeated _ -> throw new IllegalStateException("nothing is on record");
                                case Outcome.Failure failure -> throw answers.fault(failure, spec, false, trace);
                            });
                }))
                .ifNoItem().after(RUN_MAX).failWith(() -> new ApiFault(
                        ErrorCode.PLACEMENT_UNAVAILABLE, "the decision took longer than " + RUN_MAX.toSeconds() + " s"));
    }

    /** Handles a repeated call, after a lost response or a failure. */
    private Uni<String> again(Move known, MoveRequest call, DecisionTrace trace) {
        if (!known.isOf(call.instanceUuid(), call.kind(), call.sourceUuid())) {
            throw new ApiFault(ErrorCode.CONFLICT, "the migration is one of another instance, kind or source");
        }
        return switch (known.state()) {
            case MOVED, CONFIRMED -> Uni.createFrom().item(known.answer());
            case FAILED -> fresh(call, trace);
            case STARTED -> store
                    .take(
                            known.migrationUuid(), MoveState.STARTED, MoveState.STARTED, trace.request().requestId(),
                            LEASE_SECONDS)
                    .onItem().ifNull().failWith(Moves::underWay)
                    .chain(undo::undo)
                    .chain(result -> result instanceof RestoreResult.NotNow(String why)
                            ? Uni.createFrom().failure(stillOpen(why))
                            : fresh(call, trace));
            case REVERTING, REVERTED ->
                throw new ApiFault(ErrorCode.CONFLICT, "the migration is " + known.state().stored());
        };
    }

    private Uni<String> fresh(MoveRequest call, DecisionTrace trace) {
        String requestId = trace.request().requestId();
        return requestRecords.requireSettlements(requestId)
                .chain(() -> requestRecords.leave(IdempotencyKey.ofInstance(call.instanceUuid(), requestId)))
                .chain(feed::current)
                .chain(registry -> sources.find(call, registry, requestId))
                .chain(source -> placement.getAllocations(call.instanceUuid(), requestId)
                        .chain(answer -> begin(call, source, movable(call.kind(), source, answer), trace)));
    }

    private static AllocationsAnswer.Held movable(
            MoveKind kind, MoveSources.Source source, AllocationsAnswer answer) {
        return switch (answer) {
            case AllocationsAnswer.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
            case AllocationsAnswer.Held held when !kind.leavesSource() && !held.allocations().isEmpty() ->
                throw new ApiFault(ErrorCode.CONFLICT, "the instance holds allocations, so it is on a host already");
            case AllocationsAnswer.Held held when kind.leavesSource()
                    && Collections.disjoint(held.allocations().keySet(), source.providers()) ->
                throw new ApiFault(ErrorCode.CONFLICT, "the instance holds no allocations on the source");
            case AllocationsAnswer.Held held -> held;
        };
    }

    private Uni<String> begin(
            MoveRequest call, MoveSources.Source source, AllocationsAnswer.Held held, DecisionTrace trace) {
        RequestSpec spec = specOf(call, source, held);
        String requestId = trace.request().requestId();
        Move asked = Move.of(
                call.migrationUuid(),
                call.instanceUuid(),
                call.kind(),
                call.sourceUuid(),
                held.allocations(),
                requestId);
        return store.start(asked, call.userId(), LEASE_SECONDS)
                .onItem().ifNull().failWith(Moves::underWay)
                .chain(move -> schedule(move, call, spec, held, left(move, source), trace));
    }

    /**
     * Returns the reservation on the source: as long as the instance may go back, no other member of its group may
     * take its place there.
     */
    private static @Nullable SourceReservation left(Move move, MoveSources.Source source) {
        if (source.host() == null) {
            return null;
        }
        Set<String> providers = new HashSet<>(source.providers());
        providers.retainAll(move.heldBefore().keySet());
        return new SourceReservation(
                source.host().host(),
                move.kind().sourceHolder(move.instanceUuid(), move.migrationUuid()),
                providers);
    }

    /**
     * Takes project and user from the held allocations if the request has none, so that the claim belongs to the same
     * owner.
     */
    private static RequestSpec specOf(MoveRequest call, MoveSources.Source source, AllocationsAnswer.Held held) {
        RequestSpec spec = MoveSpec.of(
                call.kind(), call.instanceUuid(), call.request().spec(), source.host(), source.staysAllowed());
        return spec.toBuilder()
                .projectId(spec.projectId() == null ? held.projectId() : spec.projectId())
                .userId(spec.userId() == null ? held.userId() : spec.userId())
                .build();
    }

    /** @param held the allocations of the instance before the move */
    private Uni<String> schedule(
            Move move,
            MoveRequest call,
            RequestSpec spec,
            AllocationsAnswer.Held held,
            @Nullable SourceReservation left,
            DecisionTrace trace) {
        SelectionRequest select = call.request().with(spec);
        MoveClaims claiming = new MoveClaims(claims, numbers::raise, reservations, move, held, left);
        return destinations
                .select(select, claiming, trace)
                .onFailure().call(failure -> undo.undo(move))
                .chain(outcome -> switch (outcome) {
                    case Outcome.Selected selected -> moved(move, spec, held, selected, trace);
                    case Outcome.Repeated _ -> throw new IllegalStateException("moves have answers of their own");
                    case Outcome.Failure failure ->
                        failed(move, answers.fault(failure, spec, false, trace), claiming);
                });
    }

    private Uni<String> moved(
            Move move, RequestSpec spec, AllocationsAnswer.Held held, Outcome.Selected selected, DecisionTrace trace) {
        Selection target = selected.selections().getFirst().getFirst();
        Map<String, Map<String, Long>> after = move.kind().claimWrite(move.migrationUuid())
                .after(held, target.allocationRequest())
                .allocations();
        String answer = answers.render(selected, spec, false, trace).plain();
        Uni<Boolean> recording = store.moved(move, after, answer, PlacedInstanceStore.body(spec, target.host()));
        return store.orLeft(move, reservations.join(selected.seatedIn(), List.of(move.instanceUuid()), recording))
                .chain(recorded -> recorded ? Uni.createFrom().item(answer) : notRecorded(move));
    }

    /**
     * Handles a claim that could not be recorded. Either the record has another owner, which rolls the claim back; or
     * PostgreSQL lost the record in a failover, and nothing else knows of the claim.
     */
    private Uni<String> notRecorded(Move move) {
        return store.find(move.migrationUuid()).chain(known -> {
            if (known != null) {
                LOG.warnf("move taken over by another replica migration=%s", move.migrationUuid());
                return Uni.createFrom().failure(underWay());
            }
            LOG.warnf("the record of a move is gone, as after a failover: rolling the move back migration=%s",
                    move.migrationUuid());
            return undone(move, new ApiFault(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "the database lost the record of the move, as after a failover; the move was rolled back, send it again"));
        });
    }

    /** Rolls back the claims that the move may hold. The response is 503 while that is impossible. */
    private Uni<String> failed(Move move, ApiFault fault, MoveClaims claiming) {
        return claiming.mayHold()
                ? undone(move, fault)
                : store.end(move, MoveState.FAILED).chain(() -> Uni.createFrom().failure(fault));
    }

    private <T> Uni<T> undone(Move move, ApiFault fault) {
        return undo.undo(move).onItem().transformToUni(result -> Uni.createFrom().failure(
                result instanceof RestoreResult.NotNow(String why) ? stillOpen(why) : fault));
    }

    /** @param migration as the client sent it */
    public static ApiFault absent(String migration) {
        return ApiFault.notFound("there is no move of migration " + migration);
    }

    static ApiFault notMoved(MoveState state) {
        return new ApiFault(ErrorCode.CONFLICT, "the move is " + state.stored() + ", not moved");
    }

    static ApiFault underWay() {
        return ApiFault.underWay("a move of the instance is under way");
    }

    static ApiFault stillOpen(String why) {
        return new ApiFault(
                ErrorCode.PLACEMENT_UNAVAILABLE, "what was before is put back as soon as it can be: " + why);
    }
}
