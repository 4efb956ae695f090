package io.berth.scheduler.placement;

/** The result of releasing a consumer's allocations. */
public sealed interface ReleaseResult {
    /** Placement deleted the allocations. */
    record Released() implements ReleaseResult {}

    /** The consumer held no allocations. */
    record NothingHeld() implements ReleaseResult {}

    /**
     * Placement has seen a fence number for the consumer that is not lower than that of the release. So another replica
     * or request works on the consumer by now, or the scheduler's database was restored from an older backup. Nothing
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
