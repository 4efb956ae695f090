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
 * Makes moves of instances: selects the target, claims it, and records the move. Each claim is one request to placement
 * that gives the target to the instance and, in the same transaction, leaves the source's allocations to the migration
 * or to the instance. The record of the move stores the response, with which a repeated request is answered. If a move
 * fails, the instance's allocations from before the move are restored, unless another client has changed the
 * allocations since.
 * <br>Source: nova {@code conductor/tasks/migrate.py}, {@code conductor/tasks/live_migrate.py},
 * {@code conductor/manager.py}.
 */
@Singleton
public class Moves {
    private static final Logger LOG = Logger.getLogger(Moves.class);
    /**
     * Time limit of a move and of a dry run. A move that exceeds it and is not recorded yet loses the ownership of its
     * record, and {@link OpenWork} rolls the move back.
     */
    static final Duration RUN_MAX = Duration.ofSeconds(150);
    /** Lease of a move's record; longer than {@link #RUN_MAX}, so that it does not expire while the request works. */
    private static final double LEASE_SECONDS = RUN_MAX.toSeconds() + 30;

    private final Destinations destinations;
    private final ResponseWriter responseWriter;
    private final MoveSources sources;
    private final RegistryFeed registryFeed;
    private final PlacementClient placement;
    private final MoveStore store;
    private final MoveRollback rollback;
    private final RequestRecords requestRecords;
    private final ClaimLoop claimLoop;
    private final FenceNumbers fences;
    private final GroupReservations reservations;

    Moves(
            Destinations destinations,
            ResponseWriter responseWriter,
            MoveSources sources,
            RegistryFeed registryFeed,
            PlacementClient placement,
            MoveStore store,
            MoveRollback rollback,
            RequestRecords requestRecords,
            ClaimLoop claimLoop,
            FenceNumbers fences,
            GroupReservations reservations) {
        this.destinations = destinations;
        this.responseWriter = responseWriter;
        this.sources = sources;
        this.registryFeed = registryFeed;
        this.placement = placement;
        this.store = store;
        this.rollback = rollback;
        this.requestRecords = requestRecords;
        this.claimLoop = claimLoop;
        this.fences = fences;
        this.reservations = reservations;
    }

    /**
     * Makes a move. Returns the response body in the form of select_destinations. Fails with ApiFault if the move is
     * impossible, or cannot be completed now.
     */
    public Uni<String> move(MoveRequest moveRequest, DecisionTrace trace) {
        return Uni.createFrom()
                .deferred(() -> {
                    destinations.requireMoves();
                    return store.find(moveRequest.migrationUuid());
                })
                .chain(record -> record == null ? attempt(moveRequest, trace) : repeat(record, moveRequest, trace))
                .ifNoItem().after(RUN_MAX).recoverWithUni(
                        () -> tookTooLong(moveRequest.migrationUuid(), trace.request().requestId()))
                .onFailure().invoke(failure -> destinations.recordFailed(trace, failure));
    }

    /**
     * Handles a move that exceeded its time limit. Returns the response if the move was recorded in time; otherwise
     * fails with ApiFault (503). Ends the ownership of the record before reading it, because a statement in flight may
     * record the instance as moved until the ownership ends.
     */
    private Uni<String> tookTooLong(UUID migration, String requestId) {
        return OpenWork.retryAfterLoss(store.endOwnership(migration, requestId))
                .chain(() -> store.find(migration))
                .map(move -> {
                    if (move != null && (move.state() == MoveState.MOVED || move.state() == MoveState.CONFIRMED)) {
                        return move.answer();
                    }
                    throw new ApiFault(
                            ErrorCode.PLACEMENT_UNAVAILABLE,
                            "the move took longer than " + RUN_MAX.toSeconds() + " s and is being rolled back");
                });
    }

    /** Makes a dry run of {@link #move}: returns the same response, but claims nothing and records no move. */
    public Uni<String> dryRun(MoveRequest moveRequest, DecisionTrace trace) {
        destinations.requireMoves();
        String requestId = trace.request().requestId();
        return registryFeed.current()
                .chain(registry -> sources.find(moveRequest, registry, requestId))
                .chain(source -> placement.getAllocations(moveRequest.instanceUuid(), requestId).chain(result -> {
                    RequestSpec spec = specOf(moveRequest, source, requireMovable(moveRequest.kind(), source, result));
                    return destinations
                            .select(moveRequest.request().with(spec), null, trace)
                            .map(outcome -> switch (outcome) {
                                case SelectionOutcome.Selected selected ->
                                    responseWriter.render(selected, spec, false, trace).plain();
                                case SelectionOutcome.Repeated _ ->
                                    throw new IllegalStateException("a dry run has no record that could be repeated");
                                case SelectionOutcome.Failure failure ->
                                    throw responseWriter.fault(failure, spec, false, trace);
                            });
                }))
                .ifNoItem().after(RUN_MAX).failWith(() -> new ApiFault(
                        ErrorCode.PLACEMENT_UNAVAILABLE,
                        "the decision took longer than " + RUN_MAX.toSeconds() + " s"));
    }

    /**
     * Handles a request for a migration that has a record, as when a client repeats a request that failed or whose
     * response was lost. Returns the stored response, or makes the move again if it failed.
     */
    private Uni<String> repeat(Move record, MoveRequest moveRequest, DecisionTrace trace) {
        if (!record.isBegunBy(moveRequest.instanceUuid(), moveRequest.kind(), moveRequest.sourceUuid())) {
            throw new ApiFault(ErrorCode.CONFLICT, "the migration is recorded with another instance, kind or source");
        }
        return switch (record.state()) {
            case MOVED, CONFIRMED -> Uni.createFrom().item(record.answer());
            case FAILED -> attempt(moveRequest, trace);
            case STARTED -> store
                    .takeOver(
                            record.migrationUuid(), MoveState.STARTED, MoveState.STARTED, trace.request().requestId(),
                            LEASE_SECONDS)
                    .onItem().ifNull().failWith(Moves::underWay)
                    .chain(rollback::run)
                    .chain(result -> result instanceof RestoreResult.RetryLater(String why)
                            ? Uni.createFrom().failure(stillOpen(why))
                            : attempt(moveRequest, trace));
            case REVERTING, REVERTED ->
                throw new ApiFault(ErrorCode.CONFLICT, "the migration is " + record.state().stored());
        };
    }

    /** Makes a move of a migration that has no record, or the record of a move that failed or was rolled back. */
    private Uni<String> attempt(MoveRequest moveRequest, DecisionTrace trace) {
        String requestId = trace.request().requestId();
        return requestRecords.requireSettlements(requestId)
                .chain(() -> requestRecords.takeOver(IdempotencyKey.ofInstance(moveRequest.instanceUuid(), requestId)))
                .chain(registryFeed::current)
                .chain(registry -> sources.find(moveRequest, registry, requestId))
                .chain(source -> placement.getAllocations(moveRequest.instanceUuid(), requestId)
                        .chain(result -> begin(
                                moveRequest, source, requireMovable(moveRequest.kind(), source, result), trace)));
    }

    /**
     * Returns the allocations of the instance. Fails with ApiFault if they do not fit the move: a shelved instance must
     * have none, any other instance must hold some on the source.
     */
    private static AllocationsResult.Allocations requireMovable(
            MoveKind kind, MoveSources.Source source, AllocationsResult result) {
        return switch (result) {
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
            MoveRequest moveRequest, MoveSources.Source source, AllocationsResult.Allocations held,
            DecisionTrace trace) {
        RequestSpec spec = specOf(moveRequest, source, held);
        String requestId = trace.request().requestId();
        Move newMove = Move.of(
                moveRequest.migrationUuid(),
                moveRequest.instanceUuid(),
                moveRequest.kind(),
                moveRequest.sourceUuid(),
                held.allocations(),
                requestId);
        return store.start(newMove, moveRequest.userId(), LEASE_SECONDS)
                .onItem().ifNull().failWith(Moves::underWay)
                .chain(move -> schedule(move, moveRequest, spec, held, sourceReservation(move, source), trace));
    }

    /**
     * Returns the server-group reservation on the source, which keeps other members of the group off the source as long
     * as the move may be reverted; null if the source host is unknown.
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
    private static RequestSpec specOf(
            MoveRequest moveRequest, MoveSources.Source source, AllocationsResult.Allocations held) {
        RequestSpec spec = MoveSpec.of(
                moveRequest.kind(), moveRequest.instanceUuid(), moveRequest.request().spec(), source.host(),
                source.sameHostAllowed());
        return spec.toBuilder()
                .projectId(spec.projectId() == null ? held.projectId() : spec.projectId())
                .userId(spec.userId() == null ? held.userId() : spec.userId())
                .build();
    }

    /** @param held the allocations of the instance before the move */
    private Uni<String> schedule(
            Move move,
            MoveRequest moveRequest,
            RequestSpec spec,
            AllocationsResult.Allocations held,
            @Nullable SourceReservation sourceReservation,
            DecisionTrace trace) {
        SelectionRequest selectionRequest = moveRequest.request().with(spec);
        MoveClaims moveClaims = new MoveClaims(claimLoop, fences::raise, reservations, move, held, sourceReservation);
        return destinations
                .select(selectionRequest, moveClaims, trace)
                .onFailure().call(failure -> rollback.run(move))
                .chain(outcome -> switch (outcome) {
                    case SelectionOutcome.Selected selected -> recordMoved(move, spec, held, selected, trace);
                    case SelectionOutcome.Repeated _ ->
                        throw new IllegalStateException("a repeated move is answered from its own record");
                    case SelectionOutcome.Failure failure ->
                        endFailed(move, responseWriter.fault(failure, spec, false, trace), moveClaims);
                });
    }

    private Uni<String> recordMoved(
            Move move, RequestSpec spec, AllocationsResult.Allocations held, SelectionOutcome.Selected selected,
            DecisionTrace trace) {
        Selection target = selected.selections().getFirst().getFirst();
        Map<String, Map<String, Long>> heldAfter = move.kind().claimWrite(move.migrationUuid())
                .allocationsAfter(held, target.allocationRequest())
                .allocations();
        String response = responseWriter.render(selected, spec, false, trace).plain();
        Uni<Boolean> recording =
                store.recordMoved(move, heldAfter, response, PlacedInstanceStore.body(spec, target.host()));
        return store
                .orEndOwnership(
                        move, reservations.join(selected.reservedGroup(), List.of(move.instanceUuid()), recording))
                .chain(recorded -> recorded ? Uni.createFrom().item(response) : notRecorded(move));
    }

    /**
     * Handles a claim whose record could not be written: either the record has another owner, which rolls the claim
     * back, or PostgreSQL lost the record in a failover, so that this request must roll the claim back.
     */
    private Uni<String> notRecorded(Move move) {
        return store.find(move.migrationUuid()).chain(record -> {
            if (record != null) {
                LOG.warnf("move taken over by another replica migration=%s", move.migrationUuid());
                return Uni.createFrom().failure(underWay());
            }
            LOG.warnf("the record of a move is gone, as after a failover: rolling the move back migration=%s",
                    move.migrationUuid());
            return rollBackAndFail(move, new ApiFault(
                    ErrorCode.DATABASE_UNAVAILABLE,
                    "the database lost the record of the move, as after a failover; the move was rolled back, send it"
                            + " again"));
        });
    }

    /**
     * Rolls the move back if a claim may hold, and then fails with the fault. Fails with 503 if the rollback is not
     * possible now.
     */
    private Uni<String> endFailed(Move move, ApiFault fault, MoveClaims moveClaims) {
        return moveClaims.mayHold()
                ? rollBackAndFail(move, fault)
                : store.end(move, MoveState.FAILED).chain(() -> Uni.createFrom().failure(fault));
    }

    private <T> Uni<T> rollBackAndFail(Move move, ApiFault fault) {
        return rollback.run(move).onItem().transformToUni(result -> Uni.createFrom().failure(
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
        return new ApiFault(
                ErrorCode.CONFLICT,
                "the move is in state " + state.stored()
                        + "; only a move in state moved can be confirmed or reverted");
    }

    static ApiFault underWay() {
        return ApiFault.conflictInFlight("another move or request of the instance is in flight");
    }

    static ApiFault stillOpen(String why) {
        return new ApiFault(
                ErrorCode.PLACEMENT_UNAVAILABLE,
                "the move is not rolled back yet; the rollback is retried automatically: " + why);
    }
}
