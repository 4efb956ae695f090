package io.berth.scheduler.placement;

import java.util.UUID;

/** What a claim can come to; each case asks for another next step. */
public sealed interface ClaimResult {
    /** 204: the consumer holds the allocation. */
    record Claimed(UUID consumer) implements ClaimResult {}

    /** Refused for this candidate, for example because its capacity is gone. Try the next host. */
    record Refused(String code, String detail) implements ClaimResult {}

    /** Provider generations kept moving through all attempts. Try the next host. */
    record ProvidersBusy(int attempts) implements ClaimResult {}

    /** No answer, or a server error: the claim may hold. Read it back before going on. */
    record Unreachable(String why) implements ClaimResult {}

    /** The consumer is not what the caller thought: going on could double its allocation. Stop the request. */
    record ConsumerChanged(UUID consumer, String detail) implements ClaimResult {}
}
