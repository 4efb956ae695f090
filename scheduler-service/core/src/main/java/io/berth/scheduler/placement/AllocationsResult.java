package io.berth.scheduler.placement;

import jakarta.annotation.Nullable;
import java.util.Map;

/** The result of reading a consumer's allocations. */
public sealed interface AllocationsResult {
    /**
     * The allocations that the consumer holds now. Generation, project and user are null for a consumer that placement
     * does not know.
     *
     * @param allocations provider uuid to resource class to amount; empty if the consumer holds nothing
     * @param consumerGeneration the generation that a write must name
     */
    record Allocations(
            Map<String, Map<String, Long>> allocations, @Nullable Long consumerGeneration,
            @Nullable String projectId, @Nullable String userId)
            implements AllocationsResult {
        /** The state of a consumer that placement does not know. */
        public static final Allocations NOTHING = new Allocations(Map.of(), null, null, null);
    }

    /**
     * No usable response in time.
     *
     * @param why the reason, for logs and error messages
     */
    record Unreachable(String why) implements AllocationsResult {}
}
