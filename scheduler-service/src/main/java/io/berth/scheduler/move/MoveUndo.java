package io.berth.scheduler.move;

import io.berth.scheduler.lease.OpenWork;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import org.jboss.logging.Logger;

/**
 * The way back of a move that failed, was abandoned or is reverted. Allocations go back in placement, then the record
 * says so; what is impossible now is tried again, by {@link MoveRetries} or whoever asks for the move again.
 */
@Singleton
public class MoveUndo {
    private static final Logger LOG = Logger.getLogger(MoveUndo.class);

    private final Transfer transfer;
    private final MoveStore store;

    MoveUndo(Transfer transfer, MoveStore store) {
        this.transfer = transfer;
        this.store = store;
    }

    /** @param move open, with the caller's token; afterwards it is ended or postponed, and the token is gone */
    public Uni<PutBack> undo(Move move) {
        return transfer.putBack(move, move.requestId()).call(result -> {
            LOG.infof(
                    "move put back migration=%s instance=%s state=%s attempt=%d result=%s",
                    move.migrationUuid(), move.instanceUuid(), move.state(), move.attempts(), result);
            boolean reverting = move.state() == MoveState.REVERTING;
            return switch (result) {
                case PutBack.Done _ -> reverting ? store.reverted(move) : store.end(move, MoveState.FAILED);
                // What cannot be reverted any more stays moved.
                case PutBack.Gone _ -> store.end(move, reverting ? MoveState.MOVED : MoveState.FAILED);
                case PutBack.NotNow _ -> store.postpone(move, OpenWork.pauseSeconds(move.attempts()));
            };
        });
    }
}
