package io.berth.scheduler.move;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Confirms or reverts a completed move. Both calls may be repeated, for example to complete an interrupted call. If
 * placement does not respond to a revert, {@link io.berth.scheduler.lease.OpenWork} completes the revert later.
 * <br>Source: nova {@code compute/manager.py} (_confirm_resize, _delete_allocation_after_move, _revert_allocation).
 */
@Singleton
public class FinishedMoves {
    private static final Logger LOG = Logger.getLogger(FinishedMoves.class);
    private static final double LEASE_SECONDS = 120;

    private final MoveStore store;
    private final Transfer transfer;
    private final MoveRollback rollback;

    FinishedMoves(MoveStore store, Transfer transfer, MoveRollback rollback) {
        this.store = store;
        this.transfer = transfer;
        this.rollback = rollback;
    }

    /**
     * Releases the allocations on the source in placement, then records the move as confirmed. Fails with ApiFault: 404
     * for an unknown migration, 409 if the state of the move or changed allocations forbid it, 503 if placement does
     * not respond; then the call may be repeated.
     *
     * @return the record of the move, read before the confirmation
     */
    public Uni<Move> confirm(UUID migration, String requestId) {
        return finished(migration, MoveState.MOVED, MoveState.CONFIRMED, move -> transfer.release(move, requestId)
                .onFailure().call(failure -> store.end(move, MoveState.MOVED))
                .invoke(result -> LOG.infof(
                        "move confirmed migration=%s instance=%s result=%s",
                        move.migrationUuid(), move.instanceUuid(), result))
                .call(result -> store.end(
                        move, result instanceof RestoreResult.Done ? MoveState.CONFIRMED : MoveState.MOVED)));
    }

    /**
     * Restores the allocations and the registration from before the move. Fails with ApiFault: 404 for an unknown
     * migration, 409 if the state of the move or changed allocations forbid it, 503 if placement does not respond; then
     * the revert stays open and is completed later.
     *
     * @return the record of the move, read before the revert
     */
    public Uni<Move> revert(UUID migration) {
        return finished(migration, MoveState.REVERTING, MoveState.REVERTED, rollback::run);
    }

    private Uni<Move> finished(
            UUID migration, MoveState during, MoveState finalState, Function<Move, Uni<RestoreResult>> work) {
        return store.find(migration).chain(known -> {
            if (known == null) {
                throw Moves.absent(migration.toString());
            }
            if (known.state() == finalState) {
                return Uni.createFrom().item(known);
            }
            if (known.state() != MoveState.MOVED && known.state() != during) {
                throw Moves.notMoved(known.state());
            }
            return store.take(migration, known.state(), during, null, LEASE_SECONDS)
                    .onItem().ifNull().failWith(Moves::underWay)
                    .chain(move -> work.apply(move).map(result -> switch (result) {
                        case RestoreResult.Done _ -> move;
                        case RestoreResult.Gone(String why) -> throw new ApiFault(ErrorCode.CONFLICT, why);
                        case RestoreResult.RetryLater(String why) -> throw during == MoveState.REVERTING
                                ? Moves.stillOpen(why)
                                : new ApiFault(
                                        ErrorCode.PLACEMENT_UNAVAILABLE, "the move is not confirmed yet: " + why);
                    }));
        });
    }
}
