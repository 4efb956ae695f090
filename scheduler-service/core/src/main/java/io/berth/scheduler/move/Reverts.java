package io.berth.scheduler.move;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/**
 * Reverts a move that was made. May be repeated: a reverted move stays reverted, and if placement does not respond,
 * {@link io.berth.scheduler.lease.OpenWork} finishes the revert later.
 * <br>Source: nova {@code compute/manager.py} (_revert_allocation).
 */
@Singleton
public class Reverts {
    private static final double LEASE_SECONDS = 120;

    private final MoveStore store;
    private final MoveRollback undo;

    Reverts(MoveStore store, MoveRollback undo) {
        this.store = store;
        this.undo = undo;
    }

    /**
     * Returns the reverted move. Fails with ApiFault: 404 for an unknown move, 409 for one that cannot be reverted,
     * 503 if that is impossible now.
     */
    public Uni<Move> revert(UUID migration) {
        return store.find(migration).chain(known -> {
            if (known == null) {
                throw Moves.absent(migration.toString());
            }
            return switch (known.state()) {
                case REVERTED -> Uni.createFrom().item(known);
                case MOVED, REVERTING -> store.take(migration, known.state(), MoveState.REVERTING, null, LEASE_SECONDS)
                        .onItem().ifNull().failWith(Moves::underWay)
                        .chain(this::putBack);
                case STARTED, FAILED, CONFIRMED ->
                    throw Moves.notMoved(known.state());
            };
        });
    }

    private Uni<Move> putBack(Move move) {
        return undo.undo(move).map(result -> switch (result) {
            case RestoreResult.Done _ -> move;
            case RestoreResult.Gone(String why) -> throw new ApiFault(ErrorCode.CONFLICT, why);
            case RestoreResult.NotNow(String why) -> throw Moves.stillOpen(why);
        });
    }
}
