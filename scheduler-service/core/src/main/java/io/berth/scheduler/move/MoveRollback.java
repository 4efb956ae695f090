package io.berth.scheduler.move;

import io.berth.scheduler.lease.OpenRecords;
import io.berth.scheduler.lease.OpenWork;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;
import org.jboss.logging.Logger;

/**
 * Rolls back a move that failed, was abandoned or is reverted: restores the allocations in placement, then records the
 * result. If placement does not respond or refuses, {@link OpenWork} or the next request for the move tries again.
 */
@Singleton
public class MoveRollback implements OpenRecords {
    private static final Logger LOG = Logger.getLogger(MoveRollback.class);
    private static final double LEASE_SECONDS = 120;
    /** Time from the last change of state of a closed move to the deletion of its record. */
    private static final Duration KEEP = Duration.ofDays(90);

    private final Transfer transfer;
    private final MoveStore store;

    MoveRollback(Transfer transfer, MoveStore store) {
        this.transfer = transfer;
        this.store = store;
    }

    @Override
    public String name() {
        return "moves";
    }

    @Override
    public Uni<Boolean> processDue() {
        return store.takeDue(LEASE_SECONDS).chain(move -> move == null
                ? Uni.createFrom().item(false)
                : run(move).replaceWith(true));
    }

    @Override
    public Uni<Integer> prune() {
        return store.prune(KEEP.toSeconds(), PRUNED_TOGETHER_MAX);
    }

    /**
     * Tries once to restore the allocations. Then closes the move, returns it to {@link MoveState#MOVED} if it cannot
     * be reverted any more, or postpones the next attempt. Each of these ends the ownership of the caller.
     *
     * @param move open and owned by the caller
     */
    public Uni<RestoreResult> run(Move move) {
        return transfer.restoreHeldBefore(move, move.requestId()).call(result -> {
            LOG.infof(
                    "move rolled back migration=%s instance=%s state=%s attempt=%d result=%s",
                    move.migrationUuid(), move.instanceUuid(), move.state(), move.attempts(), result);
            boolean isReverting = move.state() == MoveState.REVERTING;
            return switch (result) {
                case RestoreResult.Done _ -> isReverting ? store.recordReverted(move)
                        : store.end(move, MoveState.FAILED);
                // A move that cannot be reverted any more stays MOVED.
                case RestoreResult.Gone _ -> store.end(move, isReverting ? MoveState.MOVED : MoveState.FAILED);
                case RestoreResult.RetryLater _ -> postpone(move);
            };
        });
    }

    /** Postpones the next attempt. Writes the record of a started move again if PostgreSQL lost it in a failover. */
    private Uni<Void> postpone(Move move) {
        double seconds = OpenWork.pauseSeconds(move.attempts());
        return store.postpone(move, seconds)
                .chain(() -> store.find(move.migrationUuid()))
                .chain(record -> record == null && move.state() == MoveState.STARTED
                        ? store.start(move, null, seconds).replaceWithVoid()
                        : Uni.createFrom().voidItem());
    }
}
