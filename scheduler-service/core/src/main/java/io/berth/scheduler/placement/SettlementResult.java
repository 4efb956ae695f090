package io.berth.scheduler.placement;

import jakarta.annotation.Nullable;
import java.util.Map;
import java.util.UUID;

/** The result of a settlement: {@link PlacementClient#settle}. */
public sealed interface SettlementResult {
    /**
     * No write with a lower fence number than the settlement's commits for these consumers any more.
     *
     * @param consumers each one that the settlement named
     */
    record Settled(Map<UUID, Consumer> consumers) implements SettlementResult {}

    /**
     * The final state of one consumer.
     *
     * @param held the allocations it holds
     * @param writtenBy fence number of the last write; null if that write had no number, or if there was none
     */
    record Consumer(AllocationsAnswer.Held held, @Nullable Long writtenBy) {
        /** Returns whether the fence number of the last write is between these, both inclusive. */
        public boolean isWrittenBy(long first, long last) {
            return writtenBy != null && writtenBy >= first && writtenBy <= last;
        }
    }

    /**
     * A higher fence number was used for one of the consumers: another replica owns the request by now. Nothing
     * changed.
     */
    record Fenced(long fence) implements SettlementResult {}

    /** Placement's rules refuse the allocations to restore, so nothing was rolled back. */
    record UndoRefused(String why) implements SettlementResult {}

    /** No response: settle again. */
    record Unreachable(String why) implements SettlementResult {}
}
