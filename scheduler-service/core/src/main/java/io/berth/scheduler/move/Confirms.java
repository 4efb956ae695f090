package io.berth.scheduler.move;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Confirms a move: releases in placement what it left on the source, then records that. The call may be repeated, also
 * to complete one that was interrupted.
 * <br>Source: nova {@code compute/manager.py} (_confirm_resize, _delete_allocation_after_move).
 */
@Singleton
public class Confirms {
    private static final Logger LOG = Logger.getLogger(Confirms.class);
    private static final double LEASE_SECONDS = 120;

    private final MoveStore store;
    private final Transfer transfer;

    Confirms(MoveStore store, Transfer transfer) {
        this.store = store;
        this.transfer = transfer;
    }

    /**
     * Completes when the move is confirmed. Fails with ApiFault: 404, 409 if it cannot be confirmed, 503 to try later.
     */
    public Uni<Move> confirm(UUID migration, String requestId) {
        return store.find(migration).chain(known -> {
            if (known == null) {
                throw Moves.absent(migration.toString());
            }
            return switch (known.state()) {
                case CONFIRMED -> Uni.createFrom().item(known);
                case MOVED -> store.take(migration, MoveState.MOVED, MoveState.MOVED, null, LEASE_SECONDS)
                        .onItem().ifNull().failWith(Moves::underWay)
                        .chain(move -> release(move, requestId));
                case STARTED, FAILED, REVERTING, REVERTED ->
                    throw Moves.notMoved(known.state());
            };
        });
    }

    private Uni<Move> release(Move move, String requestId) {
        return transfer.release(move, requestId)
                .onFailure().call(failure -> store.confirmed(move, false))
                .invoke(result -> LOG.infof(
                        "move confirmed migration=%s instance=%s result=%s", move.migrationUuid(), move.instanceUuid(), result))
                .call(result -> store.confirmed(move, result instanceof RestoreResult.Done))
                .map(result -> switch (result) {
                    case RestoreResult.Done _ -> move;
                    case RestoreResult.Gone(String why) -> throw new ApiFault(ErrorCode.CONFLICT, why);
                    case RestoreResult.NotNow(String why) -> throw new ApiFault(
                            ErrorCode.PLACEMENT_UNAVAILABLE, "the move is not confirmed yet: " + why);
                });
    }
}
