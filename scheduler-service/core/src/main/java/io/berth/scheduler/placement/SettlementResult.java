package io.berth.scheduler.placement;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/** The result of a settlement: {@link PlacementClient#settle}. */
public sealed interface SettlementResult {
    /**
     * No write with a lower number than that of the settlement commits for these consumers any more.
     *
     * @param consumers each one that the settlement named
     */
    record Settled(Map<UUID, Consumer> consumers) implements SettlementResult {}

    /**
     * The final state of one consumer.
     *
     * @param held the allocations it holds
     * @param writtenBy number of the last write; null if that write had no number, or if there was none
     */
    record Consumer(AllocationsAnswer.Held held, @Nullable Long writtenBy) {
        /** Returns whether the last write has a number from the first to the last, both inclusive. */
        public boolean isWrittenBy(long first, long last) {
            return writtenBy != null && writtenBy >= first && writtenBy <= last;
        }
    }

    /** A higher number was used for one of the consumers, so the request has another owner by now. Nothing changed. */
    record Fenced(long fence) implements SettlementResult {}

    /** Placement's rules refuse the allocations to restore, so nothing was rolled back. */
    record UndoRefused(String why) implements SettlementResult {}

    /** No response: settle again. */
    record Unreachable(String why) implements SettlementResult {}
}
