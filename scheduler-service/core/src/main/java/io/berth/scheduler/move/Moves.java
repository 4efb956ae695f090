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
import io.berth.scheduler.placement.AllocationsResult;
import io.berth.scheduler.placement.PlacementClient;
import io.berth.scheduler.request.RequestSpec;
import io.berth.scheduler.requestrecord.IdempotencyKey;
import io.berth.scheduler.requestrecord.RequestRecords;
import io.berth.scheduler.selection.Destinations;
import io.berth.scheduler.selection.ResponseWriter;
import io.berth.scheduler.selection.Selection;
import io.berth.scheduler.selection.SelectionOutcome;
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
 * Takes a move from the request to the claimed target. Each claim is one request to placement that gives the target to
 * the instance and, in the same transaction, leaves the source's allocations to the migration or to the instance. The
 * record of the move stores the result: a repeated request gets the same response. A failed move restores exactly the
 * earlier allocations.
 * <br>Source: nova {@code conductor/tasks/migrate.py}, {@code conductor/tasks/live_migrate.py},
 * {@code conductor/manager.py}.
 */
@Singleton
public class Moves {
    private static final Logger LOG = Logger.getLogger(Moves.class);
    /**
     * Time limit of a move. A move that exceeds it is abandoned: its ownership ends, and {@link OpenWork} rolls it
     * back.
     */
    static final Duration RUN_MAX = Duration.ofSeconds(150);
    private static final double LEASE_SECONDS = RUN_MAX.toSeconds() + 30;

    private final Destinations destinations;
    private final ResponseWriter answers;
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
            ResponseWriter answers,
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

    /**
     * Makes a move. Returns the response body in the form of select_destinations. Fails with ApiFault if the move is
     * impossible, or cannot be completed now.
     */
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

    /**
     * Handles a move that exceeded its time limit. Ends the ownership before it reads the record, because until then a
     * statement in flight may still record the instance as moved.
     */
    private Uni<String> tookTooLong(UUID migration, String requestId) {
        return OpenWork.afterLoss(store.leave(migration, requestId))
                .chain(() -> store.find(migration))
                .map(move -> {
                    if (move != null && (move.state() == MoveState.MOVED || move.state() == MoveState.CONFIRMED)) {
                        return move.answer();
                    }
                    throw new ApiFault(
                            ErrorCode.PLACEMENT_UNAVAILABLE,
                            "the move took longer than " + RUN_MAX.toSeconds() + " s and is rolled back");
                });
    }

    /** Makes a dry run of {@link #move}: returns the same response, but claims nothing and records no move. */
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
                                case SelectionOutcome.Selected selected ->
                                    answers.render(selected, spec, false, trace).plain();
                                case SelectionOutcome.Repeated _ ->
                                    throw new IllegalStateException("nothing is on record");
                                case SelectionOutcome.Failure failure ->
                                    throw answers.fault(failure, spec, false, trace);
                            });
                }))
                .ifNoItem().after(RUN_MAX).failWith(() -> new ApiFault(
                        ErrorCode.PLACEMENT_UNAVAILABLE,
                        "the decision took longer than " + RUN_MAX.toSeconds() + " s"));
    }

    /** Handles a request for a migration that has a record: a repetition after a lost response or a failure. */
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
                    .chain(result -> result instanceof RestoreResult.RetryLater(String why)
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

    /**
     * Returns the allocations of the instance. Fails with ApiFault if they do not fit the move: a shelved instance must
     * have none, any other instance must hold some on the source.
     */
    private static AllocationsResult.Allocations movable(
            MoveKind kind, MoveSources.Source source, AllocationsResult answer) {
        return switch (answer) {
            case AllocationsResult.Unreachable(String why) ->
                throw ApiFault.placementAway(why);
            case AllocationsResult.Allocations held when !kind.leavesSource() && !held.allocations().isEmpty() ->
                throw new ApiFault(ErrorCode.CONFLICT, "the instance holds allocations, so it is on a host already");
            case AllocationsResult.Allocations held when kind.leavesSource()
                    && Collections.disjoint(held.allocations().keySet(), source.providers()) ->
                throw new ApiFault(ErrorCode.CONFLICT, "the instance holds no allocations on the source");
            case AllocationsResult.Allocations held -> held;
        };
    }

    private Uni<String> begin(
            MoveRequest call, MoveSources.Source source, AllocationsResult.Allocations held, DecisionTrace trace) {
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
                .chain(move -> schedule(move, call, spec, held, sourceReservation(move, source), trace));
    }

    /**
     * Returns the server-group reservation on the source, which keeps other members off the source as long as the move
     * may be reverted. Null without a source.
     */
    private static @Nullable SourceReservation sourceReservation(Move move, MoveSources.Source source) {
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
     * Returns the spec to schedule. Takes project and user from the held allocations if the request has none, so that
     * the claim keeps the owner of the allocations.
     */
    private static RequestSpec specOf(MoveRequest call, MoveSources.Source source, AllocationsResult.Allocations held) {
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
            AllocationsResult.Allocations held,
            @Nullable SourceReservation sourceReservation,
            DecisionTrace trace) {
        SelectionRequest select = call.request().with(spec);
        MoveClaims claiming = new MoveClaims(claims, numbers::raise, reservations, move, held, sourceReservation);
        return destinations
                .select(select, claiming, trace)
                .onFailure().call(failure -> undo.undo(move))
                .chain(outcome -> switch (outcome) {
                    case SelectionOutcome.Selected selected -> moved(move, spec, held, selected, trace);
                    case SelectionOutcome.Repeated _ ->
                        throw new IllegalStateException("moves have answers of their own");
                    case SelectionOutcome.Failure failure ->
                        failed(move, answers.fault(failure, spec, false, trace), claiming);
                });
    }

    private Uni<String> moved(
            Move move, RequestSpec spec, AllocationsResult.Allocations held, SelectionOutcome.Selected selected,
            DecisionTrace trace) {
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
     * Handles a claim whose record could not be written: either the record has another owner, which rolls the claim
     * back, or PostgreSQL lost the record in a failover, so that this request must roll the claim back.
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
                    "the database lost the record of the move, as after a failover; the move was rolled back, send it"
                            + " again"));
        });
    }

    /** Rolls back the claims that may hold, and fails with the fault; with 503 if the rollback is impossible now. */
    private Uni<String> failed(Move move, ApiFault fault, MoveClaims claiming) {
        return claiming.mayHold()
                ? undone(move, fault)
                : store.end(move, MoveState.FAILED).chain(() -> Uni.createFrom().failure(fault));
    }

    private <T> Uni<T> undone(Move move, ApiFault fault) {
        return undo.undo(move).onItem().transformToUni(result -> Uni.createFrom().failure(
                result instanceof RestoreResult.RetryLater(String why) ? stillOpen(why) : fault));
    }

    /**
     * Returns the fault (404) for an unknown migration.
     *
     * @param migration as the client sent it
     */
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
                ErrorCode.PLACEMENT_UNAVAILABLE,
                "the move is not rolled back yet; the rollback is retried automatically: " + why);
    }
}
