package io.berth.scheduler.move;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Confirms or reverts a move whose target is claimed ({@link MoveState#MOVED}). A client may repeat a call that was
 * interrupted or lost its response. If placement does not respond to a revert or refuses it,
 * {@link io.berth.scheduler.lease.OpenWork} completes the revert later.
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
     * for an unknown migration; 409 if the move is in another state, has an owner, or another client changed the
     * allocations; 503 if placement does not respond or refuses, and then the client may repeat the call. Does nothing
     * if the move is confirmed already.
     *
     * @return the record of the move, read before the confirmation
     */
    public Uni<Move> confirm(UUID migration, String requestId) {
        return finish(migration, MoveState.MOVED, MoveState.CONFIRMED, move -> transfer.release(move, requestId)
                .onFailure().call(failure -> store.end(move, MoveState.MOVED))
                .invoke(result -> LOG.infof(
                        "move confirmed migration=%s instance=%s result=%s",
                        move.migrationUuid(), move.instanceUuid(), result))
                .call(result -> store.end(
                        move, result instanceof RestoreResult.Done ? MoveState.CONFIRMED : MoveState.MOVED)));
    }

    /**
     * Restores the instance's allocations and registration from before the move. Fails with ApiFault: 404 for an
     * unknown migration; 409 if the move is in another state or has an owner, if another move or request of the
     * instance is open, or if another client changed the allocations; 503 if placement does not respond or refuses, and
     * then the revert stays open and is completed later. Does nothing if the move is reverted already.
     *
     * @return the record of the move, read before the revert
     */
    public Uni<Move> revert(UUID migration) {
        return finish(migration, MoveState.REVERTING, MoveState.REVERTED, rollback::run);
    }

    private Uni<Move> finish(
            UUID migration, MoveState stateDuringWork, MoveState finalState, Function<Move, Uni<RestoreResult>> work) {
        return store.find(migration).chain(found -> {
            if (found == null) {
                throw Moves.absent(migration.toString());
            }
            if (found.state() == finalState) {
                return Uni.createFrom().item(found);
            }
            if (found.state() != MoveState.MOVED && found.state() != stateDuringWork) {
                throw Moves.notMoved(found.state());
            }
            return store.takeOver(migration, found.state(), stateDuringWork, null, LEASE_SECONDS)
                    .onItem().ifNull().failWith(Moves::underWay)
                    .chain(move -> work.apply(move).map(result -> switch (result) {
                        case RestoreResult.Done _ -> move;
                        case RestoreResult.Gone(String why) -> throw new ApiFault(ErrorCode.CONFLICT, why);
                        case RestoreResult.RetryLater(String why) -> throw stateDuringWork == MoveState.REVERTING
                                ? Moves.stillOpen(why)
                                : new ApiFault(
                                        ErrorCode.PLACEMENT_UNAVAILABLE, "the move is not confirmed yet: " + why);
                    }));
        });
    }
}
