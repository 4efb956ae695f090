package io.berth.scheduler.placement;

import jakarta.annotation.Nullable;
import java.util.UUID;

/** What a claim can come to; each case asks for another next step. */
public sealed interface ClaimResult {
    /** 204: the consumer holds the allocation. */
    record Claimed(UUID consumer) implements ClaimResult {}

    /** Refused for this candidate, for example because its capacity or its provider is gone. Try the next one. */
    record Refused(String code, String detail) implements ClaimResult {}

    /** Provider generations kept moving through all attempts. Try the next host. */
    record ProvidersBusy(int attempts) implements ClaimResult {}

    /** No response, or a server error: the claim may hold. Settle before anything else is written. */
    record Unreachable(String why) implements ClaimResult {}

    /**
     * Refused for what no other host would mend: nothing was written, stop the request.
     *
     * @param status 400 for a claim that is not as placement takes it; 401 and 403 for the scheduler's credentials; 503
     *     for one that could not be sent
     */
    record Denied(int status, String detail) implements ClaimResult {
        /** Returns whether the request itself is at fault, not what is set up. */
        public boolean isTheRequestsFault() {
            return status == 400;
        }

        /** For whoever asked; with advice for the operator where it is not the request's fault. */
        public String why() {
            return switch (status) {
                case 400, 401, 403, 503 -> detail;
                default -> "placement answered a claim with " + status + ": check berth.placement-url";
            };
        }
    }

    /** A higher number was used for one of the consumers: the request has another owner by now. Nothing was written. */
    record Fenced(long fence) implements ClaimResult {}

    /**
     * The consumer is not what the caller thought: going on could double its allocation. Stop the request.
     *
     * @param generation the consumer's; null where it has none, or placement does not say
     */
    record ConsumerChanged(UUID consumer, @Nullable Long generation, String detail) implements ClaimResult {}
}
