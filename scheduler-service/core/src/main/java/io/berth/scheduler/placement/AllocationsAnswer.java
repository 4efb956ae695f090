package io.berth.scheduler.placement;

import java.util.Map;

/** What the reading of a consumer's allocations can come to. */
public sealed interface AllocationsAnswer {
    /**
     * What the consumer holds now.
     *
     * @param allocations provider uuid to resource class to amount; empty when it holds nothing
     * @param consumerGeneration null when placement does not know the consumer
     */
    record Held(
            Map<String, Map<String, Long>> allocations, Long consumerGeneration, String projectId, String userId)
            implements AllocationsAnswer {
        public static final Held NOTHING = new Held(Map.of(), null, null, null);
    }

    record Unreachable(String why) implements AllocationsAnswer {}
}
