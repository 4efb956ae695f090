package io.berth.scheduler.placement;

/** The result of releasing a consumer's allocations. */
public sealed interface ReleaseResult {
    /** Placement deleted the allocations. */
    record Released() implements ReleaseResult {}

    /** There was nothing to delete. */
    record NothingHeld() implements ReleaseResult {}

    /**
     * A higher fence number was used for the consumer: another replica owns the request by now. Nothing was deleted.
     */
    record Fenced(long fence) implements ReleaseResult {}

    /** It is unknown whether anything was deleted. {@linkplain PlacementClient#settle Settle} it. */
    record Unreachable(String why) implements ReleaseResult {}
}
