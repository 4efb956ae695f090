package io.berth.scheduler.placement;

/** The result of releasing a consumer's allocations. */
public sealed interface ReleaseResult {
    /** Placement deleted the allocations. */
    record Released() implements ReleaseResult {}

    /** There was nothing to delete. */
    record NothingHeld() implements ReleaseResult {}

    /** A higher number was used for the consumer, so the request has another owner by now. Nothing was deleted. */
    record Fenced(long fence) implements ReleaseResult {}

    /** It is unknown whether anything was deleted. Settle it. */
    record Unreachable(String why) implements ReleaseResult {}
}
