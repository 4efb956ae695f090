package io.berth.scheduler.placement;

import jakarta.annotation.Nullable;
import java.util.UUID;

/** The result of a claim; each case needs a different next step. */
public sealed interface ClaimResult {
    /** 204: the consumer holds the claimed allocations. */
    record Claimed(UUID consumer) implements ClaimResult {}

    /**
     * Placement refuses this candidate, for example because a provider has too little free capacity or was deleted. Or
     * the claim was not sent, because claims of this replica that are in flight leave too little capacity. Try the next
     * candidate.
     *
     * @param code placement's error code; empty if the claim was not sent
     */
    record Refused(String code, String detail) implements ClaimResult {}

    /**
     * During every attempt, other clients changed the generation of a provider. Try the next host.
     *
     * @param attempts number of attempts
     */
    record ProvidersBusy(int attempts) implements ClaimResult {}

    /**
     * No response, or a server error, so the claim may hold. {@linkplain PlacementClient#settle Settle} the consumers
     * of the claim before anything else is written for them.
     */
    record Unreachable(String why) implements ClaimResult {}

    /**
     * Refused for a reason that applies to every host: nothing was written, stop the request.
     *
     * @param status 400 for an invalid claim; 401 and 403 for the scheduler's credentials; 503 for a claim that could
     *     not be sent; any other status shows that {@code berth.placement-url} may be wrong
     */
    record Denied(int status, String detail) implements ClaimResult {
        /** Returns whether the request itself is invalid, not the configuration of the scheduler. */
        public boolean isRequestInvalid() {
            return status == 400;
        }

        /** Returns the reason for the client, with advice for the operator if the configuration may be wrong. */
        public String why() {
            return switch (status) {
                case 400, 401, 403, 503 -> detail;
                default -> "placement answered a claim with " + status + ": check berth.placement-url";
            };
        }
    }

    /**
     * Placement has seen a fence number for one of the consumers that is not lower than that of the claim. So another
     * replica or request works on the consumer by now, or the scheduler's database was restored from an older backup.
     * Nothing was written.
     *
     * @param fence the number that placement has seen
     */
    record Fenced(long fence) implements ClaimResult {}

    /**
     * Another client changed the consumer after its allocations were read, so that a further claim could double them.
     * Stop the request. Nothing was written.
     *
     * @param generation the consumer's present generation; null if it has none, or placement does not return it
     */
    record ConsumerChanged(UUID consumer, @Nullable Long generation, String detail) implements ClaimResult {}
}
