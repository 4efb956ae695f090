package io.berth.scheduler.placement;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/** The result of {@link PlacementClient#settle} and {@link PlacementClient#undo}. */
public sealed interface SettlementResult {
    /**
     * From now on, no write with a fence number below that of the settlement commits for these consumers.
     *
     * @param consumers the state of each consumer that the settlement named
     */
    record Settled(Map<UUID, SettledConsumer> consumers) implements SettlementResult {}

    /**
     * The settled state of one consumer.
     *
     * @param held the allocations of the consumer
     * @param writtenBy fence number of the last write; null if there was no write, or it had no number
     */
    record SettledConsumer(AllocationsResult.Allocations held, @Nullable Long writtenBy) {
        /** Returns whether the fence number of the last write is in the range, both ends included. */
        public boolean isWrittenBy(long first, long last) {
            return writtenBy != null && writtenBy >= first && writtenBy <= last;
        }
    }

    /**
     * Placement has seen a higher fence number for one of the consumers. So another replica or request works on the
     * consumer by now, or the scheduler's database was restored from an older backup. Nothing changed.
     *
     * @param fence the number that placement has seen
     */
    record Fenced(long fence) implements SettlementResult {}

    /** Placement refuses the allocations that were to be restored. Nothing changed. */
    record UndoRefused(String why) implements SettlementResult {}

    /**
     * No usable response in time, or this Placement is OpenStack's and has no settlements. Repeat the settlement later.
     */
    record Unreachable(String why) implements SettlementResult {}
}
