package io.berth.scheduler.placement;

import java.util.Map;

/** The result of reading a consumer's allocations. */
public sealed interface AllocationsAnswer {
    /**
     * The allocations that the consumer holds now.
     *
     * @param allocations provider uuid to resource class to amount; empty if it holds nothing
     * @param consumerGeneration null if placement does not know the consumer
     */
    record Held(
            Map<String, Map<String, Long>> allocations, Long consumerGeneration, String projectId, String userId)
            implements AllocationsAnswer {
        public static final Held NOTHING = new Held(Map.of(), null, null, null);
    }

    record Unreachable(String why) implements AllocationsAnswer {}
}
