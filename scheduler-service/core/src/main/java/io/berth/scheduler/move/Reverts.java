package io.berth.scheduler.move;

import io.berth.scheduler.http.ApiFault;
import io.berth.scheduler.http.ErrorCode;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.util.UUID;

/**
 * Takes a move back that was made. May be repeated: what is reverted stays so, and one that placement would not answer
 * for is finished later even if nobody asks again.
 * <br>Source: nova {@code compute/manager.py} (_revert_allocation).
 */
@Singleton
public class Reverts {
    private static final double LEASE_SECONDS = 120;

    private final MoveStore store;
    private final MoveUndo undo;

    Reverts(MoveStore store, MoveUndo undo) {
        this.store = store;
        this.undo = undo;
    }

    /** The reverted move. Fails with ApiFault: 404, 409 for a move that cannot be reverted, 503 for not now. */
    public Uni<Move> revert(UUID migration) {
        return store.find(migration).chain(known -> {
            if (known == null) {
                throw ApiFault.notFound("there is no move of migration " + migration);
            }
            return switch (known.state()) {
                case REVERTED -> Uni.createFrom().item(known);
                case MOVED, REVERTING -> store.take(migration, known.state(), MoveState.REVERTING, null, LEASE_SECONDS)
                        .onItem().ifNull().failWith(Moves::underWay)
                        .chain(this::putBack);
                case STARTED, FAILED, CONFIRMED ->
                    throw new ApiFault(ErrorCode.CONFLICT, "the move is " + known.state().stored() + ", not moved");
            };
        });
    }

    private Uni<Move> putBack(Move move) {
        return undo.undo(move).map(result -> switch (result) {
            case PutBack.Done _ -> move;
            case PutBack.Gone(String why) -> throw new ApiFault(ErrorCode.CONFLICT, why);
            case PutBack.NotNow(String why) -> throw Moves.stillOpen(why);
        });
    }
}
