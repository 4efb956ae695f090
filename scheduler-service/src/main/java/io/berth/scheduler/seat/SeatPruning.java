package io.berth.scheduler.seat;

import io.berth.scheduler.lease.OpenRecords;
import io.smallrye.mutiny.Uni;
import jakarta.inject.Singleton;
import java.time.Duration;

/** Removes seats that nobody will give back. */
@Singleton
class SeatPruning implements OpenRecords {
    /** Longer than a record without a seat, or a seat without its record, is on its way. */
    private static final Duration LEFT_ALONE = Duration.ofMinutes(10);

    private final SeatStore store;

    SeatPruning(SeatStore store) {
        this.store = store;
    }

    @Override
    public String name() {
        return "seats";
    }

    @Override
    public Uni<Boolean> workOnOne() {
        return Uni.createFrom().item(false);
    }

    @Override
    public Uni<Integer> prune() {
        return store.prune(LEFT_ALONE.toSeconds());
    }
}
