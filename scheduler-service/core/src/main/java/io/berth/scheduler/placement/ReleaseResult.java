package io.berth.scheduler.placement;

/** The result of releasing a consumer's allocations. */
public sealed interface ReleaseResult {
    /** Placement deleted the allocations. */
    record Released() implements ReleaseResult {}

    /** The consumer held no allocations. */
    record NothingHeld() implements ReleaseResult {}

    /**
     * Placement has seen a higher fence number for the consumer, so another replica owns the request by now. Nothing
     * was deleted.
     *
     * @param fence the number that placement has seen
     */
    record Fenced(long fence) implements ReleaseResult {}

    /**
     * No usable response, so the allocations may or may not be deleted. {@linkplain PlacementClient#settle Settle} the
     * consumer to find out.
     */
    record Unreachable(String why) implements ReleaseResult {}
}
