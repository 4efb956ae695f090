package io.berth.scheduler.move;

import io.berth.scheduler.lease.OpenRecords;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Puts back moves that were left open. */
@Singleton
class MoveRetries implements OpenRecords {
    private static final double LEASE_SECONDS = 120;
    private static final Duration KEEP_FAILED = Duration.ofDays(7);
    private static final Duration KEEP_MOVED = Duration.ofDays(90);

    private final MoveUndo undo;
    private final MoveStore store;

    MoveRetries(MoveUndo undo, MoveStore store) {
        this.undo = undo;
        this.store = store;
    }

    @Override
    public String name() {
        return "moves";
    }

    @Override
    public Uni<Boolean> workOnOne() {
        return store.takeDue(LEASE_SECONDS).chain(move -> move == null
                ? Uni.createFrom().item(false)
                : undo.undo(move).replaceWith(true));
    }

    @Override
    public Uni<Integer> prune() {
        return store.prune(KEEP_FAILED.toSeconds(), KEEP_MOVED.toSeconds());
    }
}
