package io.berth.scheduler.placement;

import jakarta.annotation.Nullable;
import java.util.UUID;

/** The result of a claim; each case needs a different next step. */
public sealed interface ClaimResult {
    /** 204: the consumer holds the allocation. */
    record Claimed(UUID consumer) implements ClaimResult {}

    /** Refused for this candidate, for example because its capacity or its provider is gone. Try the next candidate. */
    record Refused(String code, String detail) implements ClaimResult {}

    /** Provider generations kept changing through all attempts. Try the next host. */
    record ProvidersBusy(int attempts) implements ClaimResult {}

    /**
     * No response, or a server error: the claim may hold. {@linkplain PlacementClient#settle Settle} it before anything
     * else is written.
     */
    record Unreachable(String why) implements ClaimResult {}

    /**
     * Refused for a reason that applies to every host: nothing was written, stop the request.
     *
     * @param status 400 for an invalid claim; 401 and 403 for the scheduler's credentials; 503 for a claim that could
     *     not be sent
     */
    record Denied(int status, String detail) implements ClaimResult {
        /** Returns whether the request is invalid, rather than the scheduler's setup. */
        public boolean isTheRequestsFault() {
            return status == 400;
        }

        /** Returns the reason for the client; it advises the operator unless the request is invalid. */
        public String why() {
            return switch (status) {
                case 400, 401, 403, 503 -> detail;
                default -> "placement answered a claim with " + status + ": check berth.placement-url";
            };
        }
    }

    /**
     * A higher fence number was used for one of the consumers: another replica owns the request by now. Nothing was
     * written.
     */
    record Fenced(long fence) implements ClaimResult {}

    /**
     * The consumer's state differs from what was read, so to continue could double its allocations. Stop the request.
     *
     * @param generation the consumer's generation; null if it has none, or placement does not return it
     */
    record ConsumerChanged(UUID consumer, @Nullable Long generation, String detail) implements ClaimResult {}
}
